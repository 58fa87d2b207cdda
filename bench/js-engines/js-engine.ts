import type { Join } from '../engines/engine.ts';

export interface JsDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** A full-text engine inside this process. Words of a query have white space between and no signs of a query language. */
export interface JsEngine {
  /** Takes all documents at once; afterwards queries are answered. */
  index(documents: readonly JsDocument[]): Promise<void> | void;
  readonly modes: readonly Join[];
  /** Ids of the best k, best first. */
  search(query: string, mode: Join, k: number): Promise<readonly string[]> | readonly string[];
  /** What the index takes outside the heap of JavaScript, where it does. */
  readonly nativeBytes?: () => number;
}
