/**
 * A map/reduce job (Dean and Ghemawat, OSDI 2004; IIR 4.4): pure, on one pair at a time, with no state outside.
 * Keys are strings in the order of their UTF-16 code units; values are plain data (numbers, strings, booleans, arrays,
 * plain objects, bytes), since they may go to disk and come back.
 *
 *   input ─ map ─► (key, value)… ─ combine ─► sorted by partition, key, order of emission ─ reduce ─► output…
 */
export interface Job<Input, Value, Output> {
  /** Named in progress and errors. */
  readonly name: string;
  map(input: Input, emit: (key: string, value: Value) => void): void;
  /**
   * Merges two values of one key, `left` emitted before `right`. It may be applied to any neighbours, any number of
   * times or never: it must be associative, and reduce must come to the same output with and without it.
   * It may change and return `left`.
   */
  combine?(key: string, left: Value, right: Value): Value;
  /** A fresh fold over the values of one key, which come in the order of emission. */
  reduce(key: string): Reducer<Value, Output>;
  /** 0..partitionCount-1; all of one partition comes out before the next. One partition without it. */
  partition?(key: string, partitionCount: number): number;
}

/** A fold over the values of one key. */
export interface Reducer<Value, Output> {
  add(value: Value): void;
  end(emit: (output: Output) => void): void;
}

/** One emitted pair on its way through sort and merge. */
export interface Pair {
  readonly partition: number;
  readonly key: string;
  /** The value, packed. */
  readonly value: Uint8Array;
}

/** The order of pairs; those that compare equal stay in the order of emission. */
export const comparePairs = (
  a: { readonly partition: number; readonly key: string },
  b: { readonly partition: number; readonly key: string },
): number => {
  if (a.partition !== b.partition) return a.partition - b.partition;
  if (a.key === b.key) return 0;
  return a.key < b.key ? -1 : 1;
};
