import { createScorer } from '../score/bm25f.ts';
import type { Scorer } from '../score/scorer.ts';
import type { WeightTable } from '../score/weights.ts';
import type { OpenGeneration } from '../segment/generation.ts';
import type { OpenSegment } from '../segment/segment-reader.ts';
import type { IndexStatistics } from '../statistics/statistics.ts';
import { createAnalyser } from '../text/analyser.ts';
import type { Analyser } from '../text/token.ts';
import type { EpochNumber, UrlKey } from '../values/ids.ts';

/** A document found by its key. */
export interface FoundDocument {
  readonly shard: number;
  readonly segment: OpenSegment;
  readonly doc: number;
}

/** An epoch with the scorer made for it. */
export interface ScoredEpoch {
  readonly statistics: IndexStatistics;
  readonly scorer: Scorer;
}

/** An epoch made ready for scoring, which costs some thousand float steps. */
export const scoredEpoch = (statistics: IndexStatistics, weights: WeightTable): ScoredEpoch => ({
  statistics,
  scorer: createScorer({ averageLengths: statistics.averageLengths, weights }),
});

/** The index as of one commit. Requests hold it while they run; once retired it closes when the last one lets go. */
export class Snapshot {
  readonly generation: OpenGeneration;
  readonly analyser: Analyser;
  readonly #shardNumbers: readonly number[];
  readonly #onClose: (() => void) | undefined;
  #users = 0;
  #isRetired = false;
  #isClosed = false;

  /** `shards`: those to serve, by number; all when undefined. `onClose` is called once, before the files are closed. */
  constructor(
    generation: OpenGeneration,
    { shards, onClose }: { shards?: readonly number[] | undefined; onClose?: () => void } = {},
  ) {
    this.generation = generation;
    this.analyser = createAnalyser(generation.analyser);
    this.#onClose = onClose;
    this.#shardNumbers = shards ?? Array.from(generation.shards.keys());
  }

  /** Shards served: number and segments. */
  shards(): readonly { readonly shard: number; readonly segments: readonly OpenSegment[] }[] {
    return this.#shardNumbers.map((shard) => ({ shard, segments: this.generation.shards[shard] ?? [] }));
  }

  /** The live document of that key. */
  find(key: UrlKey): FoundDocument | undefined {
    for (const { shard, segments } of this.shards()) {
      for (const segment of segments) {
        const doc = segment.find(key);
        if (doc >= 0 && segment.deletes?.has(doc) !== true) return { shard, segment, doc };
      }
    }
    return undefined;
  }

  /** The document that a hit names, if the segment is one of this snapshot's. */
  locate(hit: {
    readonly shard: number;
    readonly segment: number;
    readonly doc: number;
    readonly key: UrlKey;
  }) {
    const segment = this.generation.shards[hit.shard]?.find(({ id }) => id === hit.segment);
    if (segment === undefined || hit.doc >= segment.docCount || segment.key(hit.doc) !== hit.key)
      return undefined;
    return { segment, doc: hit.doc };
  }

  hold(): void {
    this.#users++;
  }

  release(): void {
    this.#users--;
    this.#closeIfIdle();
  }

  retire(): void {
    this.#isRetired = true;
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (!this.#isRetired || this.#users > 0 || this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose?.();
    this.generation.close();
  }
}

/** The newest epochs, so that a query that was weighed just before a refresh is still scored as it was weighed. */
export class EpochShelf {
  readonly #weights: WeightTable;
  #epochs: readonly ScoredEpoch[];

  constructor(newest: IndexStatistics, weights: WeightTable) {
    this.#weights = weights;
    this.#epochs = [scoredEpoch(newest, weights)];
  }

  get newest(): IndexStatistics {
    return this.#first.statistics;
  }

  get #first(): ScoredEpoch {
    const [first] = this.#epochs;
    if (first === undefined) throw new Error('an epoch shelf is never empty');
    return first;
  }

  /** Numbers of the epochs kept, newest first. */
  get numbers(): readonly EpochNumber[] {
    return this.#epochs.map(({ statistics }) => statistics.epoch);
  }

  /** Keeps it beside the newest so far; one that is not newer changes nothing. */
  add(statistics: IndexStatistics): boolean {
    if (statistics.epoch <= this.newest.epoch) return false;
    this.#epochs = [scoredEpoch(statistics, this.#weights), this.#first];
    return true;
  }

  get(epoch: EpochNumber): IndexStatistics | undefined {
    return this.#epochs.find(({ statistics }) => statistics.epoch === epoch)?.statistics;
  }

  scorerOf(epoch: EpochNumber): Scorer | undefined {
    return this.#epochs.find(({ statistics }) => statistics.epoch === epoch)?.scorer;
  }
}
