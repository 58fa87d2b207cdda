import type { Segment } from '../segment/segment.ts';

const WINDOW_BITS = 12;

/** Largest static scores of a segment by windows of 4,096 documents: part of every bound. */
export interface StaticBounds {
  readonly max: number;
  /** Upper bound over documents from..to-1. */
  over(from: number, to: number): number;
}

const makeBounds = (segment: Segment): StaticBounds => {
  const windows = new Uint32Array((segment.docCount >>> WINDOW_BITS) + 1);
  for (let doc = 0; doc < segment.docCount; doc++) {
    const window = doc >>> WINDOW_BITS;
    windows[window] = Math.max(windows[window] ?? 0, segment.staticScore(doc));
  }
  const max = windows.reduce((a, b) => Math.max(a, b), 0);
  return {
    max,
    over: (from, to) => {
      let bound = 0;
      const last = Math.min(windows.length - 1, (to - 1) >>> WINDOW_BITS);
      for (let window = from >>> WINDOW_BITS; window <= last; window++) {
        bound = Math.max(bound, windows[window] ?? 0);
      }
      return bound;
    },
  };
};

const known = new WeakMap<Segment, StaticBounds>();

/** Made once a segment, at its first query. */
export const staticBounds = (segment: Segment): StaticBounds => {
  const found = known.get(segment);
  if (found !== undefined) return found;
  const made = makeBounds(segment);
  known.set(segment, made);
  return made;
};
