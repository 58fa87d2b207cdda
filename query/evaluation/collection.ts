import { fail } from './errors.ts';

export interface EvaluationQuery {
  readonly id: string;
  readonly text: string;
}

/** Grade of each judged document; 0 and below: judged and not relevant. */
export type Grades = ReadonlyMap<string, number>;

/** By query id. */
export type Judgments = ReadonlyMap<string, Grades>;

const linesOf = (text: string): { readonly number: number; readonly line: string }[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, line }))
    .filter(({ line }) => line.trim() !== '');

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // told apart from a good line by the caller
  }
};

const isIdentifier = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

/**
 * Reads `queries.jsonl`: `{id, text}` a line, in order.
 * @param file Name for messages.
 * @throws QUERY_EVAL_BAD_QUERY
 */
export const parseQueries = (content: string, file: string): EvaluationQuery[] =>
  linesOf(content).map(({ number, line }) => {
    const { id, text } = Object(parseJson(line)) as { readonly id?: unknown; readonly text?: unknown };
    if (!isIdentifier(id) || typeof text !== 'string') {
      throw fail('QUERY_EVAL_BAD_QUERY', { file, line: number });
    }
    return { id: String(id), text };
  });

/** The names of the columns, not a judgment. */
const isHeader = (number: number, grade: string): boolean => number === 1 && !/\d/.test(grade);

/**
 * Reads `qrels.tsv`: query id, document, grade, with or without a header line. Of two judgments of a pair the later holds.
 * @param file Name for messages.
 * @throws QUERY_EVAL_BAD_JUDGMENT
 */
export const parseJudgments = (content: string, file: string): Judgments => {
  const judgments = new Map<string, Map<string, number>>();
  for (const { number, line } of linesOf(content)) {
    const [query = '', document = '', grade = '', ...rest] = line.split('\t').map((cell) => cell.trim());
    if (isHeader(number, grade)) continue;
    if (query === '' || document === '' || rest.length > 0 || !/^-?\d+$/.test(grade)) {
      throw fail('QUERY_EVAL_BAD_JUDGMENT', { file, line: number });
    }
    const grades = judgments.get(query) ?? new Map<string, number>();
    judgments.set(query, grades.set(document, Number(grade)));
  }
  return judgments;
};
