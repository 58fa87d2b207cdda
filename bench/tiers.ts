import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDataFolder } from '../indexer/index.ts';
import { askTiers } from '../query/broker/ask-tiers.ts';
import { mergeHits } from '../query/broker/merge.ts';
import type { NodeView } from '../query/broker/node-watch.ts';
import { TIER_RULES, type TierRule } from '../query/broker/request.ts';
import { seededRandom } from '../query/evaluation/seeded-random.ts';
import {
  openIndexWriter,
  openNode,
  publishStatistics,
  type SearchRequest,
  type ShardHit,
  StaticScores,
  staticScoreOfInLinks,
} from '../shards/index.ts';
import { docsTask } from './engines/corpus.ts';
import { readOptions, wholeNumber } from './options.ts';
import { planRequests } from './plan-requests.ts';
import type { Measurement } from './report.ts';
import { CorpusDocuments } from './updates/corpus-documents.ts';

const SEED = 7;
/** Of documents with at least n in-links, n ** -1.1 (Broder et al., Graph structure in the Web, 2000: density n ** -2.1). */
const IN_LINK_EXPONENT = 1.1;
/** Enough for each tier in one segment. */
const MEMORY_BYTES = 4 * 2 ** 30;

/** The corpus has no links: in-links are drawn, whatever a document says, which is the hard case for tiers. */
const drawStaticScores = (count: number): number[] => {
  const random = seededRandom(SEED);
  return Array.from({ length: count }, () =>
    staticScoreOfInLinks(Math.floor((1 - random()) ** (-1 / IN_LINK_EXPONENT)) - 1),
  );
};

const buildTiered = async (data: string, jsonlFile: string): Promise<void> => {
  const folder = await ensureDataFolder(data);
  using documents = await CorpusDocuments.open(jsonlFile);
  const scores = drawStaticScores(documents.count);
  const spread = new StaticScores();
  for (const score of scores) spread.add(score);
  await using writer = await openIndexWriter({
    folder: folder.shards,
    shardCount: 1,
    analyser: 'default',
    memoryBytes: MEMORY_BYTES,
    highTierThreshold: spread.highTierThreshold(),
    rebuild: true,
  });
  // A URL that comes twice is one document, as in an import.
  const seen = new Set<string>();
  for (const [index, staticScore] of scores.entries()) {
    const document = documents.at(index, 0);
    if (seen.has(document.url)) continue;
    seen.add(document.url);
    await writer.add({ ...document, staticScore });
  }
  await writer.commit();
  await publishStatistics({ shardsFolder: folder.shards, statsFolder: folder.stats });
};

interface RuleAnswer {
  readonly hits: readonly ShardHit[];
  readonly isLowSpared: boolean;
}

const answerUnder = async (node: NodeView, request: SearchRequest, rule: TierRule): Promise<RuleAnswer> => {
  const { gathered } = await askTiers([node], rule, request.k, async (tiers) => [
    { kind: 'answered', answer: await node.client.search({ ...request, tiers }) },
  ]);
  const { hits } = mergeHits(gathered.lists, request.k);
  return { hits, isLowSpared: gathered.lowTier === 'skipped' };
};

/** Of one query under one rule. */
interface RuleFigures {
  bestUs: number;
  answer: RuleAnswer;
}

type Figures = ReadonlyMap<TierRule, readonly RuleFigures[]>;

/** Every query under every rule in turn; of each the best round. */
const askAll = async (
  node: NodeView,
  requests: readonly SearchRequest[],
  rounds: number,
): Promise<Figures> => {
  const nothing = { hits: [], isLowSpared: false };
  const empty = () => requests.map((): RuleFigures => ({ bestUs: Infinity, answer: nothing }));
  const figures = new Map(TIER_RULES.map((rule) => [rule, empty()]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, request] of requests.entries()) {
      // None of the rules always finds the postings in the caches as another one has left them.
      const first = (round + index) % TIER_RULES.length;
      for (const rule of [...TIER_RULES.slice(first), ...TIER_RULES.slice(0, first)]) {
        const ofRule = figures.get(rule) ?? [];
        const started = process.hrtime.bigint();
        const answer = await answerUnder(node, request, rule);
        const us = Number(process.hrtime.bigint() - started) / 1000;
        ofRule[index] = { bestUs: Math.min(us, ofRule[index]?.bestUs ?? us), answer };
      }
    }
  }
  return figures;
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const shareOf = (found: readonly ShardHit[], wanted: readonly ShardHit[]): number =>
  wanted.length === 0
    ? 1
    : wanted.filter(({ key }) => found.some((hit) => hit.key === key)).length / wanted.length;

const measurementsOf = (figures: Figures, context: Measurement['context'] = {}): Measurement[] => {
  const exact = figures.get('all') ?? [];
  return [...figures].flatMap(([rule, ofRule]) => {
    const of = (metric: string, value: number): Measurement => ({
      bench: 'tiers',
      subject: rule,
      metric,
      values: [value],
      context,
    });
    return [
      of('low tier spared, %', 100 * mean(ofRule.map(({ answer }) => Number(answer.isLowSpared)))),
      of('µs/query', mean(ofRule.map(({ bestUs }) => bestUs))),
      of(
        'overlap@10',
        mean(ofRule.map(({ answer }, query) => shareOf(answer.hits, exact[query]?.answer.hits ?? []))),
      ),
    ];
  });
};

/** What each rule of asking the tiers is worth, on the docs corpus with drawn in-links: time, and what it finds. */
export const benchTiers = async (
  args: readonly string[],
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const options = readOptions(args, { rounds: '5', data: '' });
  const rounds = wholeNumber('rounds', options.rounds);
  const { jsonlFile, queriesFile } = docsTask();
  const work = await mkdtemp(join(tmpdir(), 'quarry-tiers-'));
  const data = options.data === '' ? join(work, 'data') : options.data;
  try {
    if (!existsSync(join(data, 'shards', 'CURRENT'))) {
      say('indexing the docs corpus in two tiers');
      await buildTiered(data, jsonlFile);
    }
    const folders = { shardsFolder: join(data, 'shards'), statsFolder: join(data, 'stats') };
    const client = await openNode({ ...folders, pollMs: 0 });
    try {
      const requests = await planRequests(client, queriesFile);
      const status = await client.status();
      const view: NodeView = { client, status, error: undefined, isSilent: false };
      return measurementsOf(await askAll(view, requests, rounds), { queries: requests.length, rounds });
    } finally {
      await client.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};
