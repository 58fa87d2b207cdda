export interface SortedTerm {
  /** Index into the terms given. */
  readonly id: number;
  readonly key: Uint8Array;
}

const encoder = new TextEncoder();

/** From U+D800 on, UTF-16 code units and UTF-8 bytes may order strings differently. */
const hasHighUnit = (term: string): boolean => /[\ud800-\uffff]/.test(term);

/**
 * Well-formed terms in rising order of their UTF-8 bytes. Comparing code units is much faster than comparing bytes and
 * gives the same order below U+D800; the few terms above are sorted apart and merged in.
 */
export function* sortTerms(terms: readonly string[]): Generator<SortedTerm> {
  const plain: number[] = [];
  const high: SortedTerm[] = [];
  terms.forEach((term, id) => {
    if (hasHighUnit(term)) high.push({ id, key: encoder.encode(term) });
    else plain.push(id);
  });
  plain.sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1));
  high.sort((a, b) => Buffer.compare(a.key, b.key));
  let next = 0;
  for (const id of plain) {
    const key = encoder.encode(terms[id]!);
    for (; next < high.length && Buffer.compare(high[next]!.key, key) < 0; next += 1) yield high[next]!;
    yield { id, key };
  }
  yield* high.slice(next);
}
