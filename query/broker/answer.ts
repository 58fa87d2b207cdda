import type { PassagePiece, ScoreExplanation } from '../../shards/index.ts';
import type { QueryWarning } from '../language/warnings.ts';

export interface AnswerHit {
  /** A normal http(s) URL, or `id:` + the percent-encoded id of a document without URL. */
  readonly url: string;
  /** Plain text as the page gave it; may be ''. */
  readonly title: string;
  /** The best passage in pieces, `hit` ones to be marked; plain text, never markup. */
  readonly snippet: readonly PassagePiece[];
  /** Fixed-point score, u32; comparable inside one epoch. */
  readonly score: number;
  /** Host, '' for a document without URL. */
  readonly site: string;
  readonly lang: string;
  readonly type: string;
  /** ISO 8601 in UTC. */
  readonly fetchedAt: string;
  /** Only when asked for. */
  readonly explanation?: ScoreExplanation;
}

/** Milliseconds by stage. */
export interface AnswerTimes {
  readonly parse: number;
  /** Longest wait in a node before evaluation began. */
  readonly queue: number;
  readonly search: number;
  readonly merge: number;
  readonly fetch: number;
  readonly total: number;
}

/** Shards of the index by how they answered. */
export interface ShardCounts {
  readonly total: number;
  /** Answered in full. */
  readonly ok: number;
  /** Ran out of time and gave the best so far. */
  readonly truncated: number;
  readonly failed: number;
  /** Gave nothing before the deadline. */
  readonly timedOut: number;
}

/** A shard that did not answer in full. */
export interface MissingShard {
  /** -1 stands for all shards of a node that has never said which it has. */
  readonly shard: number;
  readonly status: 'truncated' | 'failed' | 'timedOut';
}

/** What `GET /api/search` returns. */
export interface Answer {
  readonly query: string;
  /** How the query was read, in the query language. */
  readonly interpreted: string;
  readonly warnings: readonly QueryWarning[];
  /** Exact up to 1,000; `gte`: a lower bound, since there are more, or a shard is missing or did not finish. */
  readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' };
  readonly took: AnswerTimes;
  /** Whether any shard is missing from the answer or did not finish. */
  readonly partial: boolean;
  readonly epoch: number;
  readonly shards: ShardCounts;
  /** Which shards did not answer in full; empty when all did. */
  readonly missing: readonly MissingShard[];
  /** Documents in the shards that answered in full, and in all. */
  readonly coverage: { readonly docs: number; readonly total: number };
  /**
   * What was ranked of the index's best documents and of the rest, in any shard. `exact`: whatever was skipped could not
   * have changed the hits.
   */
  readonly tiers: {
    readonly high: 'searched';
    readonly low: 'searched' | 'skipped';
    readonly exact: boolean;
  };
  readonly hits: readonly AnswerHit[];
}
