import { readFile, writeFile } from 'node:fs/promises';
import { openDataFolder } from '../../indexer/index.ts';
import { formatTops, QUERY_MODES, type QueryMode } from '../../query/index.ts';
import { defineErrors, type ScoringName, WEIGHT_TABLES } from '../../shards/index.ts';
import { type Command, type CommandContext, option } from '../command.ts';

export const benchCommandErrors = {
  CLI_BENCH_LATER: {
    exit: 2,
    message: 'quarry bench partition is not in this version; quarry bench query measures one shard process',
  },
  CLI_BENCH_FILE: { exit: 2, message: 'query file {file}: cannot be read ({reason})' },
  CLI_BENCH_EMPTY: { exit: 2, message: 'query file {file}: holds no query that asks for a word' },
} as const;
const fail = defineErrors(benchCommandErrors);

const DEFAULT_ROUNDS = 10;

const readQueries = async (file: string): Promise<string[]> => {
  try {
    const lines = (await readFile(file, 'utf8')).split(/\r?\n/);
    return lines.filter((line) => line.trim() !== '');
  } catch (error) {
    throw fail('CLI_BENCH_FILE', { file, reason: (error as Error).message }, error);
  }
};

const isMode = (value: unknown): value is QueryMode => QUERY_MODES.some((mode) => mode === value);
const isScoring = (value: unknown): value is ScoringName =>
  typeof value === 'string' && Object.hasOwn(WEIGHT_TABLES, value);

const timeThem = async (context: CommandContext): Promise<number> => {
  const { data, settings, output, misuse } = context;
  const { queries: file, mode = 'auto', scoring = 'default', tops } = settings;
  if (typeof file !== 'string') throw misuse('--queries FILE is needed');
  if (!isMode(mode)) throw misuse(`--mode must be one of ${QUERY_MODES.join(', ')}`);
  if (!isScoring(scoring)) throw misuse(`--scoring must be one of ${Object.keys(WEIGHT_TABLES).join(', ')}`);
  const folder = await openDataFolder(data);
  const { timeQueries } = await import('../../bench/query-timing.ts');
  const timing = await timeQueries({
    shardsFolder: folder.shards,
    statsFolder: folder.stats,
    queries: await readQueries(file),
    mode,
    k: Number(settings['top'] ?? 10),
    rounds: Number(settings['rounds'] ?? DEFAULT_ROUNDS),
    scoring,
    keepsTops: typeof tops === 'string',
  });
  if (timing.queries === 0) throw fail('CLI_BENCH_EMPTY', { file });
  const { tops: rankings, ...figures } = timing;
  if (typeof tops === 'string') {
    await writeFile(tops, formatTops(new Map(rankings.map(({ query, hits }) => [query, hits]))));
  }
  output.result(figures, () => {
    const times = (['mean', 'p50', 'p90', 'p99'] as const).map(
      (name) => `${name} ${figures[name].toFixed(1)}`,
    );
    return `${figures.mode}, k ${figures.k}, ${figures.queries} queries: ${times.join(', ')} µs`;
  });
  return 0;
};

export const benchCommand: Command = {
  name: 'bench',
  takes: 'query',
  summary: 'Times queries inside one shard process: per query the best of the rounds.',
  options: [
    option({ flag: 'queries', help: 'one query a line', placeholder: 'FILE' }),
    option({ flag: 'mode', default: 'auto', help: `how words are joined: ${QUERY_MODES.join(', ')}` }),
    option({ flag: 'top', short: 'k', kind: 'integer', default: 10, help: 'hits wanted' }),
    option({
      flag: 'rounds',
      kind: 'integer',
      default: DEFAULT_ROUNDS,
      help: 'how often all queries are asked',
    }),
    option({
      flag: 'scoring',
      default: 'default',
      help: `weights: ${Object.keys(WEIGHT_TABLES).join(', ')}`,
    }),
    option({ flag: 'tops', help: 'write query, URL, rank, score', placeholder: 'FILE' }),
  ],
  run: (context) => {
    const { positionals, misuse } = context;
    if (positionals[0] === 'partition') return Promise.reject(fail('CLI_BENCH_LATER'));
    if (positionals[0] !== 'query') return Promise.reject(misuse('say what to measure: query'));
    return timeThem(context);
  },
};
