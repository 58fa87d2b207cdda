/**
 * Measures each subject so many times: forwards, backwards, forwards, …, so that what changes on the machine while time
 * goes by tells for none of them. Gives each subject's results in the order in which they came.
 */
export const alternate = async <Subject, Result>(
  subjects: readonly Subject[],
  runs: number,
  measure: (subject: Subject) => Promise<Result>,
): Promise<ReadonlyMap<Subject, readonly Result[]>> => {
  const results = new Map<Subject, Result[]>(subjects.map((subject) => [subject, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const subject of run % 2 === 0 ? subjects : subjects.toReversed()) {
      results.get(subject)?.push(await measure(subject));
    }
  }
  return results;
};
