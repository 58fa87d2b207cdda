import { fail } from './errors.ts';

export interface RankedResult {
  readonly url: string;
  readonly score: number;
}

/** Results of each query text, best first. */
export type Tops = ReadonlyMap<string, readonly RankedResult[]>;

/** A query as one cell: white space folded. */
export const topsKey = (queryText: string): string => queryText.replace(/\s+/g, ' ').trim();

/** Query, URL, rank from 1, score; tabs between, a line each, queries in the given order. */
export const formatTops = (tops: Tops): string =>
  [...tops]
    .flatMap(([query, results]) =>
      results.map(({ url, score }, index) => `${topsKey(query)}\t${url}\t${index + 1}\t${score}\n`),
    )
    .join('');

interface Row {
  readonly query: string;
  readonly rank: number;
  readonly result: RankedResult;
}

const parseRow = (line: string, number: number, file: string): Row => {
  const [query = '', url = '', rank = '', score = '', ...rest] = line.split('\t');
  const isNumber = score.trim() !== '' && Number.isFinite(Number(score));
  if (url === '' || rest.length > 0 || !/^[1-9]\d*$/.test(rank) || !isNumber) {
    throw fail('QUERY_EVAL_BAD_RANKING', { file, line: number });
  }
  return { query: topsKey(query), rank: Number(rank), result: { url, score: Number(score) } };
};

/**
 * Reads what `formatTops` writes; a peer's file in the same form too. Lines may stand in any order.
 * @param file Name for messages.
 * @throws QUERY_EVAL_BAD_RANKING
 */
export const parseTops = (content: string, file: string): Tops => {
  const rows = new Map<string, Row[]>();
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (line === '') continue;
    const row = parseRow(line, index + 1, file);
    const earlier = rows.get(row.query);
    if (earlier === undefined) rows.set(row.query, [row]);
    else earlier.push(row);
  }
  if (rows.size === 0) throw fail('QUERY_EVAL_NO_RANKING', { file });
  const ranked = (list: readonly Row[]): RankedResult[] =>
    [...list].sort((a, b) => a.rank - b.rank).map(({ result }) => result);
  return new Map([...rows].map(([query, list]) => [query, ranked(list)]));
};
