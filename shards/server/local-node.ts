import { failShards } from '../errors.ts';
import { createPassageMaker, type PassageMaker } from '../passages/passages.ts';
import type { Scorer } from '../score/scorer.ts';
import { type ScoringName, WEIGHT_TABLES } from '../score/weights.ts';
import { explainMatch } from '../search/explain-match.ts';
import type { QueryPlan } from '../search/query-plan.ts';
import { currentGeneration } from '../segment/current.ts';
import { type OpenGeneration, openGeneration } from '../segment/generation.ts';
import { ContributionCounter, contributionVersion } from '../statistics/contribution-counter.ts';
import { encodeContribution } from '../statistics/contribution-file.ts';
import { liveDocumentFrequency } from '../statistics/count-segment.ts';
import { relativeChange } from '../statistics/drift.ts';
import { decodeEpoch } from '../statistics/epoch-file.ts';
import { keepEpoch, listEpochs, readEpochBytes, readStatistics } from '../statistics/epochs.ts';
import { eachField } from '../statistics/shard-statistics.ts';
import type { IndexStatistics } from '../statistics/statistics.ts';
import { type Clock, systemClock } from '../values/clock.ts';
import type { QuarryError } from '../values/errors.ts';
import { formatKey } from '../values/hash.ts';
import type { EpochNumber, UrlKey } from '../values/ids.ts';
import type { StoredPage } from '../values/stored-page.ts';
import { expandPrefix } from './expand-prefix.ts';
import { searchSnapshot } from './search-snapshot.ts';
import type {
  ExpandRequest,
  FetchedPage,
  FetchRequest,
  KnownContribution,
  NodeStatus,
  ScoreExplanation,
  SearchAnswer,
  SearchRequest,
  ShardClient,
  ShardContribution,
  ShardHit,
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
  /** Milliseconds between two looks for a new commit or epoch; 0 never looks. Default 500. */
  readonly pollMs?: number;
  /** Told when such a look fails: the old snapshot goes on serving. */
  readonly onReloadError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** A node that can also be told to look for news at once. */
export interface LocalNode extends ShardClient {
  /** Opens a new commit or epoch if there is one; true if there was. */
  reload(): Promise<boolean>;
  /** The file of an epoch that it keeps, by default the newest, for a node elsewhere. Throws SHARDS_UNKNOWN_EPOCH. */
  epochBytes(epoch?: EpochNumber): Promise<Uint8Array>;
  /** Mean change of the frequencies of words drawn evenly from the dictionaries since the newest epoch, without its sign. */
  frequencyDrift(): Promise<number>;
}

/** With the broker's second, and the time that opening takes, a commit is seen by all within two seconds. */
const DEFAULT_POLL_MS = 500;
/** How long a replaced snapshot still serves the pages of hits that were found in it. */
const GRACE_MS = 5000;
/** Words looked up to tell how far frequencies have drifted. */
const DRIFT_SAMPLE = 256;

class InProcessNode implements LocalNode {
  readonly #options: NodeOptions;
  readonly #clock: Clock;
  readonly #epochs: EpochShelf;
  readonly #counter: ContributionCounter;
  readonly #pool: WorkerPool | undefined;
  #snapshot: Snapshot;
  /** Snapshots before, newest first, while their hits may still be fetched. */
  #previous: readonly Snapshot[] = [];
  #poll: NodeJS.Timeout | undefined;
  #reloading: Promise<boolean> | undefined;
  #isClosed = false;

  constructor(options: NodeOptions, generation: OpenGeneration, statistics: IndexStatistics) {
    const { scoring = 'default', workers = 0, shards } = options;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const nowMs = () => this.#clock.monotonicMs();
    this.#pool = workers > 0 ? new WorkerPool({ workers, scoring, shards, nowMs }) : undefined;
    this.#counter = new ContributionCounter(this.#clock);
    this.#epochs = new EpochShelf(statistics, WEIGHT_TABLES[scoring]);
    this.#pool?.addEpoch(statistics);
    this.#snapshot = this.#openSnapshot(generation);
    const pollMs = options.pollMs ?? DEFAULT_POLL_MS;
    if (pollMs > 0) this.#poll = setInterval(() => void this.#look(), pollMs).unref();
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    signal?.throwIfAborted();
    const scorer = this.#scorerFor(request.plan);
    if (this.#pool !== undefined) return this.#searchInPool(this.#pool, request, signal);
    const startedMs = this.#clock.monotonicMs();
    const deadlineMs = startedMs + request.budgetMs;
    const isLate = (): boolean => this.#clock.monotonicMs() > deadlineMs;
    const shards = this.#using((snapshot) => searchSnapshot(snapshot, request, scorer, isLate));
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

  async expand(
    { epoch, prefixes, limit }: ExpandRequest,
    signal?: AbortSignal,
  ): Promise<readonly (readonly string[])[]> {
    const statistics = await this.statistics(epoch);
    return this.#holding(async (snapshot) => {
      const segments = snapshot.shards().flatMap((shard) => shard.segments);
      const expanded: (readonly string[])[] = [];
      for (const prefix of prefixes) {
        expanded.push(await expandPrefix({ segments, statistics }, { prefix, limit }, signal));
      }
      return expanded;
    });
  }

  async statistics(epoch?: EpochNumber): Promise<IndexStatistics> {
    if (epoch === undefined) return this.#epochs.newest;
    const statistics = this.#epochs.get(epoch);
    if (statistics === undefined) throw this.#unknownEpoch(epoch);
    return statistics;
  }

  epochBytes(epoch?: EpochNumber): Promise<Uint8Array> {
    return readEpochBytes(this.#options.statsFolder, epoch ?? this.#epochs.newest.epoch);
  }

  async frequencyDrift(): Promise<number> {
    const { newest } = this.#epochs;
    return this.#using((snapshot) => {
      const segments = snapshot.shards().flatMap((shard) => shard.segments);
      const each = Math.ceil(DRIFT_SAMPLE / Math.max(1, segments.length));
      const terms = new Set(segments.flatMap((segment) => segment.sampleTerms(each)));
      const changes = [...terms].map((term) =>
        Math.abs(relativeChange(newest.documentFrequency(term), liveDocumentFrequency(segments, term))),
      );
      return changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length);
    });
  }

  /** Counts gently, in this thread, over the generation in force when it is called. */
  async contributions(
    known: readonly KnownContribution[],
    signal?: AbortSignal,
  ): Promise<ShardContribution[]> {
    return this.#holding(async (snapshot) => {
      const contributions: ShardContribution[] = [];
      for (const { shard, segments } of snapshot.shards()) {
        const version = contributionVersion(segments);
        const isKnown = known.some((each) => each.shard === shard && each.version === version);
        const bytes = isKnown
          ? undefined
          : encodeContribution(await this.#counter.count(shard, segments, signal));
        contributions.push({ shard, version, bytes });
      }
      return contributions;
    });
  }

  async stage(bytes: Uint8Array): Promise<void> {
    const { statsFolder } = this.#options;
    const statistics = decodeEpoch(bytes, `an epoch for ${statsFolder}`);
    const { epoch } = statistics;
    if (epoch < this.#epochs.newest.epoch)
      throw failShards('SHARDS_EPOCH_CONFLICT', { folder: statsFolder, epoch });
    await keepEpoch(statsFolder, epoch, bytes);
    this.#addEpoch(statistics);
  }

  async status(): Promise<NodeStatus> {
    return this.#using((snapshot) => ({
      generation: snapshot.generation.generation,
      commit: snapshot.generation.commit,
      analyser: snapshot.generation.analyser,
      epoch: this.#epochs.newest.epoch,
      epochs: this.#epochs.numbers,
      shardCount: snapshot.generation.shards.length,
      shards: snapshot.shards().map(({ shard, segments }) => ({
        shard,
        docCount: segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
        deletedCount: segments.reduce((sum, { docCount, liveCount }) => sum + docCount - liveCount, 0),
        segmentCount: segments.length,
        bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
        totalLengths: eachField((field) =>
          segments.reduce((sum, segment) => sum + segment.totalLength(field), 0),
        ),
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
    for (const snapshot of this.#previous) this.#drop(snapshot);
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
    const isNew = current !== undefined && current.commit !== this.#snapshot.generation.commit;
    if (isNew && !this.#isClosed) await this.#replaceSnapshot();
    return hasNewEpoch || isNew;
  }

  async #replaceSnapshot(): Promise<void> {
    const replaced = this.#snapshot;
    this.#snapshot = this.#openSnapshot(
      await openGeneration(this.#options.shardsFolder, replaced.generation),
    );
    this.#previous = [replaced, ...this.#previous];
    setTimeout(() => this.#drop(replaced), GRACE_MS).unref();
  }

  #openSnapshot(generation: OpenGeneration): Snapshot {
    const onClose = () => this.#pool?.drop(generation.commit);
    const snapshot = new Snapshot(generation, { shards: this.#options.shards, onClose });
    this.#pool?.open(snapshot);
    return snapshot;
  }

  #addEpoch(statistics: IndexStatistics): void {
    if (this.#epochs.add(statistics)) this.#pool?.addEpoch(statistics);
  }

  async #searchInPool(
    pool: WorkerPool,
    request: SearchRequest,
    signal: AbortSignal | undefined,
  ): Promise<SearchAnswer> {
    return this.#holding((snapshot) => pool.search(snapshot.generation.commit, request, signal));
  }

  #drop(snapshot: Snapshot): void {
    this.#previous = this.#previous.filter((other) => other !== snapshot);
    snapshot.retire();
  }

  /** As #using, until the promise settles. */
  async #holding<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw failShards('SHARDS_NODE_CLOSED');
    const snapshot = this.#snapshot;
    snapshot.hold();
    try {
      return await work(snapshot);
    } finally {
      snapshot.release();
    }
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
    if (scorer === undefined) throw this.#unknownEpoch(epoch);
    return scorer;
  }

  #unknownEpoch(epoch: EpochNumber): QuarryError {
    return failShards('SHARDS_UNKNOWN_EPOCH', { folder: this.#options.statsFolder, epoch });
  }

  #fetchHit(hit: ShardHit, passageOf: PassageMaker): FetchedPage {
    const snapshots = [this.#snapshot, ...this.#previous];
    const found = firstOf(snapshots, (snapshot) => snapshot.locate(hit)) ?? this.#snapshot.find(hit.key);
    if (found === undefined) throw failShards('SHARDS_PAGE_GONE', { key: formatKey(hit.key) });
    const page = found.segment.stored(found.doc);
    const { url, title, lang, type, fetchedAtMs } = page;
    return { url, title, passage: passageOf(page), lang, type, fetchedAtMs };
  }
}

const firstOf = <Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined => {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * Opens the commit in force in this process, over all its shards. Searching is synchronous work of the calling
 * thread, or of `workers` threads over the same memory; the rest is always done here. Throws SHARDS_NO_INDEX,
 * SHARDS_NO_SUCH_SHARD or SHARDS_NO_STATISTICS, and for damaged files or those of another version the errors of
 * shards/errors.ts.
 */
export const openNode = async (options: NodeOptions): Promise<LocalNode> => {
  const generation = await openGeneration(options.shardsFolder);
  try {
    const shardCount = generation.shards.length;
    const stray = options.shards?.find((shard) => shard >= shardCount);
    if (stray !== undefined) throw failShards('SHARDS_NO_SUCH_SHARD', { shard: stray, shardCount });
    const statistics = await readStatistics(options.statsFolder);
    return new InProcessNode(options, generation, statistics);
  } catch (error) {
    generation.close();
    throw error;
  }
};
