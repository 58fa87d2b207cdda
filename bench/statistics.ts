import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { importDocuments } from '../index.ts';
import {
  type Broker,
  createBroker,
  evaluate,
  parseJudgments,
  parseQueries,
  plainWords,
} from '../query/index.ts';
import { decodeContribution, idUrl, openNode, sumStatistics, writeEpoch } from '../shards/index.ts';
import { readOptions, wholeNumber } from './options.ts';
import { sharedPath } from './paths.ts';
import type { Measurement } from './report.ts';

const K = 10;
/** Share of a collection that a stale epoch has counted. */
const STALE_SHARE = 0.5;

interface Hit {
  readonly url: string;
  readonly score: number;
}

/** A way to weigh queries: its answers, best first. */
type Search = (text: string) => Promise<readonly Hit[]>;

/** Everything opened for one arrangement, closed together. */
class Opened implements AsyncDisposable {
  readonly #brokers: Broker[] = [];

  async open(shardsFolder: string, statsFolder: string, shards?: readonly number[]): Promise<Broker> {
    const only = shards === undefined ? {} : { shards };
    const node = await openNode({ shardsFolder, statsFolder, pollMs: 0, ...only });
    const broker = createBroker({ nodes: [node], config: { timeoutMs: 600_000, cacheEntries: 0 } });
    this.#brokers.push(broker);
    return broker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#brokers.map((broker) => broker.close()));
  }
}

const searchIn =
  (broker: Broker): Search =>
  async (text) =>
    (await broker.search({ q: plainWords(text), k: K, snippet: false })).hits;

const byScore = (a: Hit, b: Hit): number => b.score - a.score || (a.url < b.url ? -1 : 1);

/** Every shard weighs by its own counts, as engines do that have no global ones; the lists are merged by score. */
const searchByOwnCounts = async (opened: Opened, data: string, shardCount: number): Promise<Search> => {
  const shardsFolder = join(data, 'shards');
  const brokers: Broker[] = [];
  for (let shard = 0; shard < shardCount; shard += 1) {
    const statsFolder = join(data, `own-stats-${shard}`);
    const counter = await openNode({
      shardsFolder,
      statsFolder: join(data, 'stats'),
      shards: [shard],
      pollMs: 0,
    });
    const counted = (await counter.contributions([])).flatMap(({ bytes }) =>
      bytes === undefined ? [] : [decodeContribution(bytes, statsFolder).statistics],
    );
    await counter.close();
    await writeEpoch(statsFolder, sumStatistics(counted));
    brokers.push(await opened.open(shardsFolder, statsFolder, [shard]));
  }
  const searches = brokers.map(searchIn);
  return async (text) =>
    (await Promise.all(searches.map((search) => search(text)))).flat().sort(byScore).slice(0, K);
};

interface Compared {
  /** Mean share of the first ten that both have. */
  readonly overlap: number;
  /** Share of the queries with the same ten in the same order. */
  readonly identical: number;
  readonly ndcg10: number;
}

type Collection = Pick<Parameters<typeof evaluate>[0], 'queries' | 'qrels'>;

const compare = async ({ queries, qrels }: Collection, search: Search, fresh: Search): Promise<Compared> => {
  let overlap = 0;
  let identical = 0;
  for (const { text } of queries) {
    const [ours, theirs] = [await search(text), await fresh(text)].map((hits) => hits.map(({ url }) => url));
    const shared = ours?.filter((url) => theirs?.includes(url)).length ?? 0;
    overlap += theirs?.length === 0 ? 1 : shared / (theirs?.length ?? 1);
    identical += JSON.stringify(ours) === JSON.stringify(theirs) ? 1 : 0;
  }
  const { means } = await evaluate({ queries, qrels, run: search, mapUrl: nameOf });
  return { overlap: overlap / queries.length, identical: identical / queries.length, ndcg10: means.ndcg10 };
};

const nameOf = (url: string): string => (/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : idUrl(url));

const importInto = async (data: string, file: string, shards: number): Promise<void> => {
  await importDocuments({ data, files: [file], settings: { shards } });
};

const measureCollection = async (
  name: string,
  shardCounts: readonly number[],
  folder: string,
): Promise<Measurement[]> => {
  const corpus = sharedPath('collections', name, 'corpus.jsonl.gz');
  const lines = gunzipSync(await readFile(corpus))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const half = join(folder, `${name}-half.jsonl`);
  await writeFile(half, `${lines.slice(0, Math.ceil(lines.length * STALE_SHARE)).join('\n')}\n`);
  const read = (file: string) => readFile(sharedPath('collections', name, file), 'utf8');
  const collection = {
    queries: parseQueries(await read('queries.jsonl'), name),
    qrels: parseJudgments(await read('qrels.tsv'), name),
  };
  const stale = join(folder, `${name}-half`);
  await importInto(stale, half, 1);
  const measurements: Measurement[] = [];
  for (const shards of shardCounts) {
    const data = join(folder, `${name}-${shards}`);
    await importInto(data, corpus, shards);
    await using opened = new Opened();
    const shardsFolder = join(data, 'shards');
    const fresh = searchIn(await opened.open(shardsFolder, join(data, 'stats')));
    const arrangements: Readonly<Record<string, Search>> = {
      'epoch, fresh': fresh,
      'epoch of half the pages': searchIn(await opened.open(shardsFolder, join(stale, 'stats'))),
      'own counts of each shard': await searchByOwnCounts(opened, data, shards),
    };
    for (const [subject, search] of Object.entries(arrangements)) {
      const figures = await compare(collection, search, fresh);
      const context = { collection: name, shards, queries: collection.queries.length };
      for (const [metric, value] of Object.entries(figures)) {
        measurements.push({ bench: 'statistics', subject, metric, values: [value], context });
      }
    }
  }
  return measurements;
};

/**
 * What fresh global statistics are worth: answers weighed by an epoch of all pages against those weighed by one of half of
 * them, and by what each shard counts for itself; overlap of the first ten, share of equal ones, nDCG@10.
 */
export const benchStatistics = async (
  args: readonly string[],
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const options = readOptions(args, { collections: 'cranfield,cacm,med,npl', shards: '4,16' });
  const shardCounts = options.shards.split(',').map((count) => wholeNumber('shards', count));
  const folder = await mkdtemp(join(tmpdir(), 'quarry-statistics-'));
  try {
    const measurements: Measurement[] = [];
    for (const name of options.collections.split(',')) {
      say(`statistics: ${name}`);
      measurements.push(...(await measureCollection(name, shardCounts, folder)));
    }
    return measurements;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
