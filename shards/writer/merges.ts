import type { WeightTable } from '../score/weights.ts';
import { filesOfSegment, type SegmentEntry, segmentFile } from '../segment/manifest.ts';
import type { MergePlan, ShardWriter } from './shard-writer.ts';
import type { RunningMerge, StartMerge } from './start-merge.ts';

export interface MergesOptions {
  readonly weights: WeightTable;
  /** Static score from which on a document belongs to the high tier; 0: all do. */
  readonly highTierThreshold: number;
  readonly startMerge: StartMerge;
}

interface Merge extends RunningMerge {
  readonly shard: ShardWriter;
  readonly plan: MergePlan;
  /** How it ended, undefined while it runs. */
  outcome?: { readonly entries: readonly SegmentEntry[] } | { readonly error: unknown };
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
    const { weights, highTierThreshold, startMerge } = this.#options;
    const plan = shard.planMerge(ids);
    const { id, lowId, inputs } = plan;
    const tiers = lowId === undefined ? {} : { low: { id: lowId, belowScore: highTierThreshold } };
    const merge: Merge = {
      ...startMerge({ folder: shard.folder, id, inputs, weights, ...tiers }),
      shard,
      plan,
    };
    merge.done.then(
      (entries) => {
        merge.outcome = { entries };
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
    else merge.shard.finishMerge(merge.plan, merge.outcome.entries);
  }

  /** Whether the running merge reads or writes the file. */
  uses(file: string): boolean {
    if (this.#merge === undefined) return false;
    const { shard, plan } = this.#merge;
    const outputs = [plan.id, ...(plan.lowId === undefined ? [] : [plan.lowId])].map((id) =>
      segmentFile(shard.folder, id, 'idx').slice(0, -'idx'.length),
    );
    return (
      outputs.some((output) => file.startsWith(output)) ||
      plan.inputs.some((entry) => filesOfSegment(shard.folder, entry).includes(file))
    );
  }

  async stop(): Promise<void> {
    await this.#merge?.stop();
    this.#merge = undefined;
  }
}
