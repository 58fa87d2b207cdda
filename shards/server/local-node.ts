import { failShards } from '../errors.ts';
import { createPassageMaker, type PassageMaker } from '../passages/passages.ts';
import type { Scorer } from '../score/scorer.ts';
import { type ScoringName, WEIGHT_TABLES } from '../score/weights.ts';
import { explainMatch } from '../search/explain-match.ts';
import type { QueryPlan } from '../search/query-plan.ts';
import { currentGeneration } from '../segment/current.ts';
import { type OpenGeneration, openGeneration } from '../segment/generation.ts';
import { listEpochs, readStatistics } from '../statistics/epochs.ts';
import type { IndexStatistics } from '../statistics/statistics.ts';
import { type Clock, systemClock } from '../values/clock.ts';
import { formatKey } from '../values/hash.ts';
import type { UrlKey } from '../values/ids.ts';
import { searchSnapshot } from './search-snapshot.ts';
import type {
  FetchedPage,
  FetchRequest,
  NodeStatus,
  ScoreExplanation,
  SearchAnswer,
  SearchRequest,
  ShardClient,
  ShardHit,
  StoredPage,
} from './shard-client.ts';
import { EpochShelf, Snapshot } from './snapshot.ts';
import { WorkerPool } from './worker-pool.ts';

export interface NodeOptions {
  /** The data folder's `shards`. */
  readonly shardsFolder: string;
  /** The data folder's `stats`. */
  readonly statsFolder: string;
  /** Numbers of the shards to serve; all when left out. */
  readonly shards?: readonly number[];
  /** Threads that search over the same memory; 0, the default, searches in the calling thread. */
  readonly workers?: number;
  /** Weight table, 'default' unless a peer is to be compared with. */
  readonly scoring?: ScoringName;
  /** Milliseconds between two looks for a new generation or epoch; 0 never looks. Default 1,000. */
  readonly pollMs?: number;
  /** Told when such a look fails: the old generation goes on serving. */
  readonly onReloadError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** A node that can also be told to look for news at once. */
export interface LocalNode extends ShardClient {
  /** Opens a new generation or epoch if there is one; true if there was. */
  reload(): Promise<boolean>;
}

const DEFAULT_POLL_MS = 1000;
/** How long a replaced generation still serves the pages of hits that were found in it. */
const GRACE_MS = 5000;

class InProcessNode implements LocalNode {
  readonly #options: NodeOptions;
  readonly #clock: Clock;
  readonly #epochs: EpochShelf;
  readonly #pool: WorkerPool | undefined;
  #snapshot: Snapshot;
  /** The generation before, while its hits may still be fetched. */
  #previous: Snapshot | undefined;
  #retirement: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #reloading: Promise<boolean> | undefined;
  #isClosed = false;

  constructor(options: NodeOptions, generation: OpenGeneration, statistics: IndexStatistics) {
    const { scoring = 'default', workers = 0, shards } = options;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const nowMs = () => this.#clock.monotonicMs();
    this.#pool = workers > 0 ? new WorkerPool({ workers, scoring, shards, nowMs }) : undefined;
    this.#epochs = new EpochShelf(statistics, WEIGHT_TABLES[scoring]);
    this.#pool?.addEpoch(statistics);
    this.#snapshot = this.#openSnapshot(generation);
    const pollMs = options.pollMs ?? DEFAULT_POLL_MS;
    if (pollMs > 0) this.#poll = setInterval(() => void this.#look(), pollMs).unref();
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    signal?.throwIfAborted();
    const scorer = this.#scorerFor(request.plan);
    if (this.#pool !== undefined) return this.#searchInPool(this.#pool, request);
    const startedMs = this.#clock.monotonicMs();
    const shards = this.#using((snapshot) => searchSnapshot(snapshot, request, scorer, this.#clock));
    return { shards, queueMs: 0, searchMs: this.#clock.monotonicMs() - startedMs };
  }

  async fetch(request: FetchRequest, signal?: AbortSignal): Promise<readonly FetchedPage[]> {
    signal?.throwIfAborted();
    const { hits, groups, passageLength } = request;
    return this.#using(({ analyser }) => {
      const passageOf: PassageMaker =
        groups.length === 0 ? () => [] : createPassageMaker({ groups, maxLength: passageLength }, analyser);
      return hits.map((hit) => this.#fetchHit(hit, passageOf));
    });
  }

  async page(key: UrlKey): Promise<StoredPage | undefined> {
    return this.#using((snapshot) => {
      const found = snapshot.find(key);
      return found?.segment.stored(found.doc);
    });
  }

  async explain(plan: QueryPlan, key: UrlKey): Promise<ScoreExplanation | undefined> {
    const scorer = this.#scorerFor(plan);
    return this.#using((snapshot) => {
      const found = snapshot.find(key);
      return found && explainMatch(plan, found.segment, scorer, found.doc);
    });
  }

  async statistics(): Promise<IndexStatistics> {
    return this.#epochs.newest;
  }

  async status(): Promise<NodeStatus> {
    return this.#using((snapshot) => ({
      generation: snapshot.generation.generation,
      analyser: snapshot.generation.analyser,
      epoch: this.#epochs.newest.epoch,
      shards: snapshot.shards().map(({ shard, segments }) => ({
        shard,
        docCount: segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
        deletedCount: segments.reduce((sum, { docCount, liveCount }) => sum + docCount - liveCount, 0),
        segmentCount: segments.length,
        bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      })),
    }));
  }

  /** Concurrent calls share one look. */
  reload(): Promise<boolean> {
    this.#reloading ??= this.#reloadNow().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#poll);
    await this.#reloading?.catch(() => undefined);
    this.#dropPrevious();
    await this.#pool?.close();
    this.#snapshot.retire();
  }

  async #look(): Promise<void> {
    try {
      await this.reload();
    } catch (error) {
      this.#options.onReloadError?.(error);
    }
  }

  async #reloadNow(): Promise<boolean> {
    const { shardsFolder, statsFolder } = this.#options;
    const [newest] = await listEpochs(statsFolder);
    const hasNewEpoch = newest !== undefined && newest > this.#epochs.newest.epoch;
    if (hasNewEpoch) this.#addEpoch(await readStatistics(statsFolder, newest));
    const current = await currentGeneration(shardsFolder);
    const isNew = current !== undefined && current.generation !== this.#snapshot.generation.generation;
    if (isNew && !this.#isClosed) await this.#replaceSnapshot();
    return hasNewEpoch || isNew;
  }

  async #replaceSnapshot(): Promise<void> {
    const fresh = this.#openSnapshot(await openGeneration(this.#options.shardsFolder));
    this.#dropPrevious();
    this.#previous = this.#snapshot;
    this.#snapshot = fresh;
    this.#retirement = setTimeout(() => this.#dropPrevious(), GRACE_MS).unref();
  }

  #openSnapshot(generation: OpenGeneration): Snapshot {
    const onClose = () => this.#pool?.drop(generation.generation);
    const snapshot = new Snapshot(generation, { shards: this.#options.shards, onClose });
    this.#pool?.open(snapshot);
    return snapshot;
  }

  #addEpoch(statistics: IndexStatistics): void {
    this.#epochs.add(statistics);
    this.#pool?.addEpoch(statistics);
  }

  async #searchInPool(pool: WorkerPool, request: SearchRequest): Promise<SearchAnswer> {
    if (this.#isClosed) throw failShards('SHARDS_NODE_CLOSED');
    const snapshot = this.#snapshot;
    snapshot.hold();
    try {
      return await pool.search(snapshot.generation.generation, request);
    } finally {
      snapshot.release();
    }
  }

  #dropPrevious(): void {
    clearTimeout(this.#retirement);
    this.#previous?.retire();
    this.#previous = undefined;
  }

  #using<T>(work: (snapshot: Snapshot) => T): T {
    if (this.#isClosed) throw failShards('SHARDS_NODE_CLOSED');
    const snapshot = this.#snapshot;
    snapshot.hold();
    try {
      return work(snapshot);
    } finally {
      snapshot.release();
    }
  }

  #scorerFor({ epoch }: QueryPlan): Scorer {
    const scorer = this.#epochs.scorerOf(epoch);
    if (scorer === undefined) {
      throw failShards('SHARDS_UNKNOWN_EPOCH', { folder: this.#options.statsFolder, epoch });
    }
    return scorer;
  }

  #fetchHit(hit: ShardHit, passageOf: PassageMaker): FetchedPage {
    const found = this.#snapshot.locate(hit) ?? this.#previous?.locate(hit) ?? this.#snapshot.find(hit.key);
    if (found === undefined) throw failShards('SHARDS_PAGE_GONE', { key: formatKey(hit.key) });
    const page = found.segment.stored(found.doc);
    const { url, title, lang, type, fetchedAtMs } = page;
    return { url, title, passage: passageOf(page), lang, type, fetchedAtMs };
  }
}

/**
 * Opens the generation in force in this process, over all its shards. Searching is synchronous work of the calling
 * thread, or of `workers` threads over the same memory; the rest is always done here. Throws SHARDS_NO_INDEX or
 * SHARDS_NO_STATISTICS, and for damaged files or those of another version the errors of shards/errors.ts.
 */
export const openNode = async (options: NodeOptions): Promise<LocalNode> => {
  const generation = await openGeneration(options.shardsFolder);
  try {
    const statistics = await readStatistics(options.statsFolder);
    return new InProcessNode(options, generation, statistics);
  } catch (error) {
    generation.close();
    throw error;
  }
};
