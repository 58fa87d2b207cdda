import type { WeightTable } from '../score/weights.ts';
import { filesOfSegment, type SegmentEntry, segmentFile } from '../segment/manifest.ts';
import type { MergePlan, ShardWriter } from './shard-writer.ts';
import type { RunningMerge, StartMerge } from './start-merge.ts';

export interface MergesOptions {
  readonly weights: WeightTable;
  readonly startMerge: StartMerge;
}

interface Merge extends RunningMerge {
  readonly shard: ShardWriter;
  readonly plan: MergePlan;
  /** How it ended, undefined while it runs. */
  outcome?: { readonly entry: SegmentEntry | undefined } | { readonly error: unknown };
}

/** The writer's merges, one at a time: at most one core is taken from searches. */
export class Merges {
  readonly #options: MergesOptions;
  #merge: Merge | undefined;

  constructor(options: MergesOptions) {
    this.#options = options;
  }

  /** The merge that was started and not yet put into force. */
  get running(): RunningMerge | undefined {
    return this.#merge;
  }

  /** Only when none is running, between a commit and the next change. */
  start(shard: ShardWriter, ids: readonly number[]): void {
    const { weights, startMerge } = this.#options;
    const plan = shard.planMerge(ids);
    const { id, inputs } = plan;
    const merge: Merge = { ...startMerge({ folder: shard.folder, id, inputs, weights }), shard, plan };
    merge.done.then(
      (entry) => {
        merge.outcome = { entry };
      },
      (error: unknown) => {
        merge.outcome = { error };
      },
    );
    this.#merge = merge;
  }

  /** Puts the output of a merge that has ended into its shard, for the commit that is being made. */
  takeFinished(onError: ((error: unknown) => void) | undefined): void {
    const merge = this.#merge;
    if (merge?.outcome === undefined) return;
    this.#merge = undefined;
    if ('error' in merge.outcome) onError?.(merge.outcome.error);
    else merge.shard.finishMerge(merge.plan, merge.outcome.entry);
  }

  /** Whether the running merge reads or writes the file. */
  uses(file: string): boolean {
    if (this.#merge === undefined) return false;
    const { shard, plan } = this.#merge;
    const output = segmentFile(shard.folder, plan.id, 'idx').slice(0, -'idx'.length);
    return (
      file.startsWith(output) ||
      plan.inputs.some((entry) => filesOfSegment(shard.folder, entry).includes(file))
    );
  }

  async stop(): Promise<void> {
    await this.#merge?.stop();
    this.#merge = undefined;
  }
}
