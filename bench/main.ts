import { QuarryError } from '../shards/index.ts';
import { benchCrawl } from './crawl-peers.ts';
import { fail } from './errors.ts';
import { benchJsEngines } from './js-engines/compare-engines.ts';
import { benchQuery } from './query-peers.ts';
import { benchRemote } from './remote.ts';
import { formatReport, type Measurement, thisMachine } from './report.ts';
import { benchStatistics } from './statistics.ts';
import { benchTiers } from './tiers.ts';

/** A benchmark gets the words after its name; progress goes to `say`. */
type Bench = (args: readonly string[], say: (text: string) => void) => Promise<Measurement[]>;

const BENCHES: Readonly<Record<string, Bench>> = {
  crawl: benchCrawl,
  'js-engines': benchJsEngines,
  query: benchQuery,
  remote: benchRemote,
  statistics: benchStatistics,
  tiers: benchTiers,
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const run = async (args: readonly string[]): Promise<void> => {
  const [name = '', ...rest] = args.filter((word) => word !== '--json');
  const bench = BENCHES[name];
  if (bench === undefined) {
    throw fail('BENCH_UNKNOWN_NAME', { kind: 'benchmark', name, known: Object.keys(BENCHES).join(', ') });
  }
  const measurements = await bench(rest, say);
  process.stdout.write(formatReport(measurements, thisMachine(), args.includes('--json')));
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof QuarryError)) throw error;
  say(error.message);
  process.exitCode = error.exit;
}
