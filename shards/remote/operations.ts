import type { Static } from 'typebox';
import type { QueryPlan } from '../search/query-plan.ts';
import type {
  ExpandRequest,
  FetchedPage,
  FetchRequest,
  KnownContribution,
  NodeStatus,
  ScoreExplanation,
  SearchAnswer,
  SearchRequest,
  ShardContribution,
  ShardHit,
} from '../server/shard-client.ts';
import { trustUrlKey } from '../values/hash.ts';
import { type EpochNumber, epochNumber, trustNormalUrl, type UrlKey } from '../values/ids.ts';
import type { StoredPage } from '../values/stored-page.ts';
import { readHits, writeHits } from './hit-column.ts';
import { pack, payloadReader, violated } from './payload.ts';
import * as schemas from './schemas.ts';

/** One kind of question: how it and its answer become bytes and are read again. */
export interface Operation<Request, Answer> {
  /** Kind of the frame that asks; that of the answer has ANSWER_BIT set. */
  readonly kind: number;
  /** Longest messages. */
  readonly maxRequestBytes: number;
  readonly maxAnswerBytes: number;
  readonly writeRequest: (request: Request) => Uint8Array;
  /** Throws SHARDS_PROTOCOL_VIOLATED, as does readAnswer. */
  readonly readRequest: (payload: Uint8Array, peer: string) => Request;
  readonly writeAnswer: (answer: Answer) => Uint8Array;
  /** Also checks that it answers this request. */
  readonly readAnswer: (payload: Uint8Array, peer: string, request: Request) => Answer;
}

const MIB = 2 ** 20;
const SHORT = { maxRequestBytes: MIB, maxAnswerBytes: 16 * MIB } as const;
/** Stored pages: 1,100 of them at most, passages apart. */
const PAGES = { maxRequestBytes: MIB, maxAnswerBytes: 64 * MIB } as const;

/** Term counts: about 10 bytes a term. */
const COUNTS = { maxRequestBytes: MIB, maxAnswerBytes: 1024 * MIB } as const;

/** Groups that score, in a plan: with more of them a sum could pass 32 bits (score/bm25f.ts). */
const MAX_SCORED_GROUPS = 64;
const MAX_ERROR_UNITS = 1000;

const checkedPlan = (plan: QueryPlan, peer: string): QueryPlan => {
  const { optional, required, phrases } = plan;
  const phraseGroups = phrases.reduce((sum, { words }) => sum + words.length, 0);
  const count = optional.length + required.length + phraseGroups;
  if (count > MAX_SCORED_GROUPS) {
    throw violated(peer, `a plan of ${count} groups that score`, `at most ${MAX_SCORED_GROUPS}`);
  }
  return plan;
};

/** Hits of a message; all of `shard` when it is given. */
const hitsOf = (bytes: Uint8Array, peer: string, shard?: number): ShardHit[] => {
  const hits = readHits(bytes);
  if (hits === undefined) throw violated(peer, `${bytes.length} bytes of hits`, 'whole rows');
  if (hits.length > schemas.MAX_HITS) {
    throw violated(peer, `${hits.length} hits`, `at most ${schemas.MAX_HITS}`);
  }
  const stray = shard === undefined ? undefined : hits.find((hit) => hit.shard !== shard);
  if (stray !== undefined) throw violated(peer, `a hit of shard ${stray.shard}`, `hits of shard ${shard}`);
  return hits;
};

const keyBytes = (key: UrlKey): Uint8Array => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, key, true);
  return bytes;
};
const keyOf = (bytes: Uint8Array): UrlKey =>
  trustUrlKey(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0, true));

const readSearchRequest = payloadReader('a search', schemas.searchRequest);
const readSearchAnswer = payloadReader('the answer to a search', schemas.searchAnswer);

export const searchOperation: Operation<SearchRequest, SearchAnswer> = {
  kind: 0x10,
  ...SHORT,
  writeRequest: (request) => pack({ ...request, budgetMs: Math.max(0, request.budgetMs) }),
  readRequest: (payload, peer) => {
    const { plan, ...rest } = readSearchRequest(payload, peer);
    return { ...rest, plan: checkedPlan({ ...plan, epoch: epochNumber(plan.epoch) }, peer) };
  },
  writeAnswer: ({ shards, queueMs, searchMs }) =>
    pack({
      shards: shards.map(({ hits, error, ...rest }) => ({
        ...rest,
        ...(error === undefined ? {} : { error: error.slice(0, MAX_ERROR_UNITS) }),
        hits: writeHits(hits),
      })),
      queueMs,
      searchMs,
    }),
  readAnswer: (payload, peer, { k }) => {
    const { shards, queueMs, searchMs } = readSearchAnswer(payload, peer);
    return {
      shards: shards.map(({ hits: bytes, ...rest }) => {
        const hits = hitsOf(bytes, peer, rest.shard);
        if (hits.length > k) throw violated(peer, `${hits.length} hits`, `at most ${k}`);
        return { ...rest, hits };
      }),
      queueMs,
      searchMs,
    };
  },
};

const readFetchRequest = payloadReader('a request for pages', schemas.fetchRequest);
const readFetchAnswer = payloadReader('the pages of hits', schemas.fetchAnswer);

export const fetchOperation: Operation<FetchRequest, readonly FetchedPage[]> = {
  kind: 0x11,
  ...PAGES,
  writeRequest: ({ hits, groups, passageLength }) => pack({ hits: writeHits(hits), groups, passageLength }),
  readRequest: (payload, peer) => {
    const { hits, ...rest } = readFetchRequest(payload, peer);
    return { ...rest, hits: hitsOf(hits, peer) };
  },
  writeAnswer: pack,
  readAnswer: (payload, peer, { hits }) => {
    const pages = readFetchAnswer(payload, peer);
    if (pages.length !== hits.length) throw violated(peer, `${pages.length} pages`, `${hits.length}`);
    return pages.map((page) => ({ ...page, url: trustNormalUrl(page.url) }));
  },
};

const readPageRequest = payloadReader('a request for a page', schemas.pageRequest);
const readPageAnswer = payloadReader('a page', schemas.pageAnswer);

export const pageOperation: Operation<UrlKey, StoredPage | undefined> = {
  kind: 0x12,
  ...PAGES,
  writeRequest: (key) => pack({ key: keyBytes(key) }),
  readRequest: (payload, peer) => keyOf(readPageRequest(payload, peer).key),
  writeAnswer: (page) => pack(page ?? null),
  readAnswer: (payload, peer) => {
    const page = readPageAnswer(payload, peer);
    return page === null ? undefined : { ...page, url: trustNormalUrl(page.url) };
  },
};

export interface ExplainRequest {
  readonly plan: QueryPlan;
  readonly key: UrlKey;
}

const readExplainRequest = payloadReader('a request to explain', schemas.explainRequest);
const readExplainAnswer = payloadReader('an explanation', schemas.explainAnswer);

export const explainOperation: Operation<ExplainRequest, ScoreExplanation | undefined> = {
  kind: 0x13,
  ...SHORT,
  writeRequest: ({ plan, key }) => pack({ plan, key: keyBytes(key) }),
  readRequest: (payload, peer) => {
    const { plan, key } = readExplainRequest(payload, peer);
    return { plan: checkedPlan({ ...plan, epoch: epochNumber(plan.epoch) }, peer), key: keyOf(key) };
  },
  writeAnswer: (explanation) => pack(explanation ?? null),
  readAnswer: (payload, peer) => (readExplainAnswer(payload, peer) as ScoreExplanation | null) ?? undefined,
};

const readNothing = payloadReader('nothing', schemas.empty);
const readStatus = payloadReader('the status of a node', schemas.status);

/** What a node says of itself, from a message. */
export const statusOf = (status: Static<typeof schemas.status>): NodeStatus => ({
  ...status,
  epoch: epochNumber(status.epoch),
  epochs: status.epochs.map(epochNumber),
});

export const statusOperation: Operation<undefined, NodeStatus> = {
  kind: 0x14,
  ...SHORT,
  writeRequest: () => pack(null),
  readRequest: (payload, peer) => void readNothing(payload, peer),
  writeAnswer: pack,
  readAnswer: (payload, peer) => statusOf(readStatus(payload, peer)),
};

export interface StatisticsRequest {
  /** The one wanted; the newest when left out. */
  readonly epoch?: EpochNumber;
  /** Nothing comes back when the newest is this one. */
  readonly have?: EpochNumber;
}

const readStatisticsRequest = payloadReader('a request for statistics', schemas.statisticsRequest);

/** The answer is a sealed epoch file as it is, or empty. */
export const statisticsOperation: Operation<StatisticsRequest, Uint8Array | undefined> = {
  kind: 0x15,
  ...COUNTS,
  writeRequest: pack,
  readRequest: (payload, peer) => {
    const { epoch, have } = readStatisticsRequest(payload, peer);
    return {
      ...(epoch === undefined ? {} : { epoch: epochNumber(epoch) }),
      ...(have === undefined ? {} : { have: epochNumber(have) }),
    };
  },
  writeAnswer: (bytes) => bytes ?? new Uint8Array(0),
  readAnswer: (payload) => (payload.length === 0 ? undefined : Uint8Array.from(payload)),
};

const readContributionsRequest = payloadReader('a request for counts', schemas.contributionsRequest);
const readContributionsAnswer = payloadReader('counts of shards', schemas.contributionsAnswer);

export const contributionsOperation: Operation<readonly KnownContribution[], ShardContribution[]> = {
  kind: 0x16,
  ...COUNTS,
  writeRequest: pack,
  readRequest: readContributionsRequest,
  writeAnswer: (contributions) =>
    pack(contributions.map(({ bytes = null, ...rest }) => ({ ...rest, bytes }))),
  readAnswer: (payload, peer) =>
    readContributionsAnswer(payload, peer).map(({ bytes, ...rest }) => ({
      ...rest,
      bytes: bytes === null ? undefined : Uint8Array.from(bytes),
    })),
};

const readExpandRequest = payloadReader('a request for terms', schemas.expandRequest);
const readExpandAnswer = payloadReader('terms by prefix', schemas.expandAnswer);

export const expandOperation: Operation<ExpandRequest, readonly (readonly string[])[]> = {
  kind: 0x18,
  ...SHORT,
  writeRequest: pack,
  readRequest: (payload, peer) => {
    const { epoch, ...rest } = readExpandRequest(payload, peer);
    return { ...rest, epoch: epochNumber(epoch) };
  },
  writeAnswer: pack,
  readAnswer: (payload, peer, { prefixes, limit }) => {
    const lists = readExpandAnswer(payload, peer);
    if (lists.length !== prefixes.length)
      throw violated(peer, `${lists.length} lists of terms`, `${prefixes.length}`);
    const long = lists.find(({ length }) => length > limit);
    if (long !== undefined) throw violated(peer, `${long.length} terms of a prefix`, `at most ${limit}`);
    return lists;
  },
};

/** The request is a sealed epoch file as it is. */
export const stageOperation: Operation<Uint8Array, void> = {
  kind: 0x17,
  maxRequestBytes: COUNTS.maxAnswerBytes,
  maxAnswerBytes: MIB,
  writeRequest: (bytes) => bytes,
  readRequest: (payload) => Uint8Array.from(payload),
  writeAnswer: () => pack(null),
  readAnswer: (payload, peer) => void readNothing(payload, peer),
};
