import type { ScoringName } from '../score/weights.ts';
import type { SharedGeneration } from '../segment/generation.ts';
import type { FieldName } from '../values/fields.ts';
import type { EpochNumber } from '../values/ids.ts';
import type { SearchRequest, ShardAnswer } from './shard-client.ts';

/** What a search worker is started with. */
export interface WorkerSettings {
  readonly scoring: ScoringName;
}

/** A worker's settings with the memory of its CancelFlags. */
export interface WorkerData extends WorkerSettings {
  readonly cancelled: SharedArrayBuffer;
}

/** Milliseconds of a clock that all threads of the process share. */
export const processMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Messages arrive in the order of sending, so that a snapshot and an epoch are there before a request names them. */
export type ToWorker =
  | { readonly kind: 'open'; readonly generation: SharedGeneration; readonly shards?: readonly number[] }
  | { readonly kind: 'close'; readonly commit: number }
  | {
      readonly kind: 'epoch';
      readonly epoch: EpochNumber;
      readonly averageLengths: Readonly<Record<FieldName, number>>;
    }
  | {
      readonly kind: 'search';
      readonly id: number;
      readonly commit: number;
      readonly request: SearchRequest;
      /** By processMs: what the request has waited is gone from its budget. */
      readonly sentMs: number;
    };

/** One for each request; `unready` says why the thread has not the snapshot or the epoch of the request. */
export type FromWorker =
  | { readonly id: number; readonly shards: readonly ShardAnswer[]; readonly searchMs: number }
  | { readonly id: number; readonly unready: string };
