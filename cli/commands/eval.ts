import { readFile, writeFile } from 'node:fs/promises';
import { openIndex, type SearchIndex } from '../../index.ts';
import { openDataFolder, readAliases } from '../../indexer/index.ts';
import {
  type EvaluateOptions,
  type Evaluation,
  evaluate,
  formatTops,
  METRIC_NAMES,
  type MetricName,
  parseJudgments,
  parseQueries,
  parseTops,
  plainWords,
  randomisationTest,
  runFromTops,
  seededRandom,
} from '../../query/index.ts';
import { defineErrors, idUrl, trustNormalUrl } from '../../shards/index.ts';
import { type Command, type CommandContext, option } from '../command.ts';

export const evalErrors = {
  CLI_EVAL_FILE: { exit: 2, message: 'file {file}: cannot be read ({reason})' },
} as const;
const fail = defineErrors(evalErrors);

const LABELS: Readonly<Record<MetricName, string>> = {
  ndcg10: 'nDCG@10',
  map: 'MAP',
  p10: 'P@10',
  mrr10: 'MRR@10',
  recall100: 'recall@100',
};
const BASELINE_SEED = 20;

const read = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fail('CLI_EVAL_FILE', { file, reason: (error as Error).message }, error);
  }
};

/** Judged ids become the names that hits have; redirects and duplicates lead to the page that was kept. */
const nameMapper = async (data: string): Promise<(url: string) => string> => {
  const aliases = await readAliases(await openDataFolder(data));
  return (url) => {
    const name = /^[a-z][a-z0-9+.-]*:/i.test(url) ? trustNormalUrl(url) : idUrl(url);
    return aliases.get(name) ?? name;
  };
};

/** Queries of a collection are prose: a quotation mark in them asks for nothing. */
const searchRun =
  (index: SearchIndex, site: string | undefined, signal: AbortSignal): EvaluateOptions['run'] =>
  async (text, k) => {
    const q = site === undefined ? plainWords(text) : `${plainWords(text)} site:${site}`;
    const { hits } = await index.search({ q, k, snippet: false, signal });
    return hits.map(({ url, score }) => ({ url, score }));
  };

interface Comparison {
  readonly baseline: number;
  readonly difference: number;
  readonly p: number;
}

const compare = (ours: Evaluation, theirs: Evaluation): Record<MetricName, Comparison> =>
  Object.fromEntries(
    METRIC_NAMES.map((name) => {
      const values = [ours, theirs].map(({ perQuery }) => perQuery.map(({ metrics }) => metrics[name]));
      const [left = [], right = []] = values;
      const { meanDifference, pValue } = randomisationTest(left, right, seededRandom(BASELINE_SEED));
      return [name, { baseline: theirs.means[name], difference: meanDifference, p: pValue }];
    }),
  ) as Record<MetricName, Comparison>;

const describe = (evaluation: Evaluation, comparison?: Record<MetricName, Comparison>): string => {
  const rows = METRIC_NAMES.map((name) => {
    const against = comparison?.[name];
    const suffix =
      against === undefined
        ? ''
        : `   baseline ${against.baseline.toFixed(4)}, difference ${against.difference.toFixed(4)}, p ${against.p.toFixed(4)}`;
    return `${LABELS[name].padEnd(12)}${evaluation.means[name].toFixed(4)}${suffix}`;
  });
  return [
    ...rows,
    `${evaluation.perQuery.length} judged queries, ${evaluation.unjudgedCount} without judgments`,
  ].join('\n');
};

const textOption = (context: CommandContext, key: string): string | undefined => {
  const value = context.settings[key];
  return typeof value === 'string' ? value : undefined;
};

const excluder = (
  pattern: string | undefined,
  misuse: CommandContext['misuse'],
): ((url: string) => boolean) => {
  if (pattern === undefined) return () => false;
  try {
    const expression = new RegExp(pattern, 'u');
    return (url) => expression.test(url);
  } catch (error) {
    throw misuse(`--exclude-url ${pattern} is no regular expression (${(error as Error).message})`);
  }
};

const run = async (context: CommandContext): Promise<number> => {
  const { data, output, signal, misuse } = context;
  const queriesFile = textOption(context, 'queries');
  const qrelsFile = textOption(context, 'qrels');
  if (queriesFile === undefined || qrelsFile === undefined) throw misuse('--queries and --qrels are needed');
  const mapUrl = await nameMapper(data);
  const common = {
    queries: parseQueries(await read(queriesFile), queriesFile),
    qrels: parseJudgments(await read(qrelsFile), qrelsFile),
    mapUrl,
    isExcluded: excluder(textOption(context, 'excludeUrl'), misuse),
    signal,
  };
  await using index = await openIndex({ data, settings: { timeoutMs: 600_000 } });
  const evaluation = await evaluate({
    ...common,
    run: searchRun(index, textOption(context, 'site'), signal),
  });
  const tops = textOption(context, 'tops');
  if (tops !== undefined) await writeFile(tops, formatTops(evaluation.tops));
  const baseline = textOption(context, 'baseline');
  const comparison =
    baseline === undefined
      ? undefined
      : compare(
          evaluation,
          await evaluate({ ...common, run: runFromTops(parseTops(await read(baseline), baseline)) }),
        );
  output.result(
    {
      ...evaluation.means,
      queries: evaluation.perQuery.length,
      unjudged: evaluation.unjudgedCount,
      ...(comparison === undefined ? {} : { comparison }),
    },
    () => describe(evaluation, comparison),
  );
  return 0;
};

export const evalCommand: Command = {
  name: 'eval',
  takes: '',
  summary: 'Measures the ranking on judged queries: nDCG@10, MAP, P@10, MRR@10, recall@100.',
  options: [
    option({ flag: 'queries', help: 'JSON lines of {id, text}', placeholder: 'FILE' }),
    option({
      flag: 'qrels',
      help: 'query id, document id or URL, grade; tabs between, one header line',
      placeholder: 'FILE',
    }),
    option({ flag: 'site', help: 'search this host only', placeholder: 'HOST' }),
    option({ flag: 'exclude-url', help: 'leave out results whose URL matches', placeholder: 'REGEX' }),
    option({ flag: 'tops', help: 'write query, URL, rank, score of all results', placeholder: 'FILE' }),
    option({
      flag: 'baseline',
      help: 'compare with such a file, with a paired randomisation test',
      placeholder: 'FILE',
    }),
  ],
  run,
};
