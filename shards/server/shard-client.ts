import type { QueryPlan } from '../search/query-plan.ts';
import type { TierChoice } from '../search/tiers.ts';
import type { IndexStatistics } from '../statistics/statistics.ts';
import type { FieldName } from '../values/fields.ts';
import type { EpochNumber, UrlKey } from '../values/ids.ts';
import type { StoredPage } from '../values/stored-page.ts';

/** What the broker asks of one node, for all its shards at once. */
export interface SearchRequest {
  readonly plan: QueryPlan;
  /** Hits wanted of each shard, 0..1100. */
  readonly k: number;
  /** 'exhaustive' scores every match (the oracle), 'pruned' skips what cannot enter; same answer. */
  readonly evaluation: 'pruned' | 'exhaustive';
  /** Milliseconds that evaluation may take; then the best so far comes back as 'truncated'. */
  readonly budgetMs: number;
  /** Matches to count exactly, 1,000 when left out; a smaller number lets more be skipped. */
  readonly countLimit?: number;
  /** Which tiers to ask, 'guaranteed' when left out. */
  readonly tiers?: TierChoice;
  /** Terms whose documents to count in each shard, such as those that the epoch does not know. */
  readonly frequenciesOf?: readonly string[];
}

/** One match of a shard. */
export interface ShardHit {
  readonly key: UrlKey;
  /** u32. Order: score falling, then key rising. */
  readonly score: number;
  readonly shard: number;
  /** Names the document inside the node until its generation is closed. */
  readonly segment: number;
  readonly doc: number;
}

export type ShardStatus = 'ok' | 'truncated' | 'failed' | 'timedOut';

/** What one shard has to say to a request; a failed or late one has no hits. */
export interface ShardAnswer {
  readonly shard: number;
  readonly status: ShardStatus;
  readonly error?: string;
  readonly hits: readonly ShardHit[];
  /** Matches; exact up to the request's countLimit, then a lower bound. */
  readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' };
  /** Live documents of the shard. */
  readonly docCount: number;
  /** Whether documents of the low tier were ranked; undefined where the shard has no such tier. */
  readonly lowTier?: 'searched' | 'skipped' | undefined;
  /** Live documents that hold each of the request's `frequenciesOf`, in their order; none when none were asked for. */
  readonly frequencies?: readonly number[];
}

/** What a node has to say: an answer for each of its shards, and its own times in milliseconds. */
export interface SearchAnswer {
  readonly shards: readonly ShardAnswer[];
  readonly queueMs: number;
  readonly searchMs: number;
}

/** Asks for the pages of hits that the same node gave. */
export interface FetchRequest {
  readonly hits: readonly ShardHit[];
  /** Terms to look for and mark, by group; empty for no passage. */
  readonly groups: readonly (readonly string[])[];
  /** Largest length of a passage in UTF-16 units. */
  readonly passageLength: number;
}

/** A piece of a passage; `hit` pieces are to be marked. Plain text, never markup. */
export interface PassagePiece {
  readonly text: string;
  readonly hit: boolean;
}

/** A page as a result shows it: a passage in place of the text. */
export interface FetchedPage extends Omit<StoredPage, 'text'> {
  readonly passage: readonly PassagePiece[];
}

/** Asks which terms begin so. */
export interface ExpandRequest {
  /** The epoch that tells which terms are the most frequent ones. */
  readonly epoch: EpochNumber;
  /** At least one character each. */
  readonly prefixes: readonly string[];
  /** Terms wanted of each prefix, 1..4096. */
  readonly limit: number;
}

/** One factor of a score, as a tree. */
export interface ScoreExplanation {
  readonly value: number;
  readonly what: string;
  readonly parts?: readonly ScoreExplanation[];
}

/** Which counts of a shard the asker has. */
export interface KnownContribution {
  readonly shard: number;
  readonly version: string;
}

/** What one shard adds to the next epoch. */
export interface ShardContribution extends KnownContribution {
  /** A sealed contribution file (shards/statistics/FORMAT.md); undefined when the asker has this version. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * A node: a set of shards behind one contract, in this process, in a thread or on another machine.
 * All of an answer comes from one generation. Rejects only when the node as a whole cannot answer.
 */
export interface ShardClient {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer>;
  /** Pages of `request.hits`, in that order. */
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<readonly FetchedPage[]>;
  page(key: UrlKey): Promise<StoredPage | undefined>;
  explain(plan: QueryPlan, key: UrlKey): Promise<ScoreExplanation | undefined>;
  /**
   * For each prefix the terms of the node's shards that begin so: at most `limit`, by falling document frequency of the whole
   * epoch, then by the terms' own order. Throws SHARDS_UNKNOWN_EPOCH.
   */
  expand(request: ExpandRequest, signal?: AbortSignal): Promise<readonly (readonly string[])[]>;
  /**
   * What a planner needs to make weights: an epoch that the node keeps, by default the newest. Throws
   * SHARDS_UNKNOWN_EPOCH.
   */
  statistics(epoch?: EpochNumber): Promise<IndexStatistics>;
  /**
   * Counts of the node's shards for the next epoch. Of a shard whose version the asker names among `known` nothing
   * but the version comes back.
   */
  contributions(known: readonly KnownContribution[], signal?: AbortSignal): Promise<ShardContribution[]>;
  /**
   * Takes in a sealed epoch file; once this has resolved, queries may name that epoch. The node keeps the two newest.
   * Idempotent. Throws SHARDS_EPOCH_CONFLICT when the node knows another epoch of that number, or a newer one only.
   */
  stage(epoch: Uint8Array): Promise<void>;
  status(): Promise<NodeStatus>;
  close(): Promise<void>;
}

/** What a node serves. */
export interface NodeStatus {
  readonly generation: number;
  /** Rises with every change of the index. */
  readonly commit: number;
  /** The newest epoch that it keeps. */
  readonly epoch: EpochNumber;
  /** All epochs that it keeps and queries may name, newest first: one or two. */
  readonly epochs: readonly EpochNumber[];
  /** Shards of the whole index, here or elsewhere: so that one that no node serves is missed. */
  readonly shardCount: number;
  /** Name of the analyser that cut the generation's documents; queries are cut alike. */
  readonly analyser: string;
  readonly shards: readonly {
    readonly shard: number;
    readonly docCount: number;
    readonly deletedCount: number;
    readonly segmentCount: number;
    readonly bytes: number;
    /** Exact tokens of each field over live documents: shows how far the epoch's averages have drifted. */
    readonly totalLengths: Readonly<Record<FieldName, number>>;
  }[];
}
