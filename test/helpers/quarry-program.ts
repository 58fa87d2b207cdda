import { builtProgram } from '../../bench/paths.ts';
import { type ProgramOptions, type ProgramResult, runProgram } from '../../bench/program.ts';

/** Every word of a program run by a test is in this folder or on loopback: no politeness is owed. */
export const IMPOLITE = ['--allow-private', '--delay', '0', '--politeness', '0'] as const;

/** Runs the built `quarry` to its end. */
export const quarry = (words: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> =>
  runProgram(process.execPath, [builtProgram('quarry'), ...words], options);

/** Runs the built `crawl-and-index` to its end. */
export const crawlAndIndex = (
  words: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> =>
  runProgram(process.execPath, [builtProgram('crawl-and-index'), ...words], options);

/** The objects of standard output, every line of which must be one. */
export const objectsOf = <Row>({ stdout, stderr }: ProgramResult): Row[] => {
  if (stdout !== '' && !stdout.endsWith('\n')) throw new Error(`a line without its end: ${stdout}`);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      try {
        return JSON.parse(line) as Row;
      } catch (error) {
        throw new Error(`not JSON: ${line} (${stderr})`, { cause: error });
      }
    });
};

/** A row of `quarry export --json`. */
export interface ExportedRow {
  readonly url: string;
  /** A number as soon as the page log has it, before that the state of the crawl. */
  readonly status: number | string;
  readonly fetchedAt?: string;
  readonly type?: string;
  readonly title?: string;
  readonly lang?: string;
  readonly duplicateOf?: string;
  readonly redirectTo?: string;
  readonly error?: string;
}

/** What is known of every URL, by URL; one that is told twice is an error. */
export const exported = async (data: string): Promise<Map<string, ExportedRow>> => {
  const rows = objectsOf<ExportedRow>(await quarry(['export', '--data', data, '--json']));
  const byUrl = new Map(rows.map((row) => [row.url, row]));
  if (byUrl.size !== rows.length) throw new Error('a URL was exported twice');
  return byUrl;
};

/** Rows that two exports do not have alike, the times of visits apart. */
export const differences = (
  one: ReadonlyMap<string, ExportedRow>,
  other: ReadonlyMap<string, ExportedRow>,
): string[] => {
  const linesOf = (rows: ReadonlyMap<string, ExportedRow>): string[] =>
    [...rows.values()].map((row) =>
      JSON.stringify(row, (key, value: unknown) => (key === 'fetchedAt' ? undefined : value)),
    );
  const [left, right] = [new Set(linesOf(one)), new Set(linesOf(other))];
  return [
    ...[...left].filter((line) => !right.has(line)).map((line) => `- ${line}`),
    ...[...right].filter((line) => !left.has(line)).map((line) => `+ ${line}`),
  ];
};

/** Waits until something holds, looking again and again. */
export const until = async (holds: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  const deadlineMs = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadlineMs) throw new Error(`waited a minute in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
