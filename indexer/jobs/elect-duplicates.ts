import type { NormalUrl } from '../../shards/index.ts';
import type { Job } from '../mapreduce/job.ts';
import type { PageSketch } from './page-sketch.ts';

/** `url` shows the same title and text as `kept`, which is indexed in its place. */
export interface Duplicate {
  readonly url: NormalUrl;
  readonly kept: NormalUrl;
}

/**
 * Groups pages by the hash of their title and text and keeps one of each group (IIR 19.6, exact duplicates).
 *
 *   page ─► (textHash, url) ─► the others, each with the one that was kept
 *
 * The election looks at URLs only, so that it does not depend on the order of the log.
 */
export const electDuplicates: Job<PageSketch, NormalUrl, Duplicate> = {
  name: 'duplicates',
  map: (page, emit) => {
    if (page.kind === 'document' && page.textHash !== '') emit(page.textHash, page.url);
  },
  reduce: () => {
    const group: NormalUrl[] = [];
    return {
      add: (url) => void group.push(url),
      end: (emit) => {
        const [kept, ...others] = group.sort(compareCandidates);
        if (kept === undefined) return;
        for (const url of others) emit({ url, kept });
      },
    };
  },
};

/** https before http, then the shorter URL, then the smaller one by code units. */
export const compareCandidates = (a: NormalUrl, b: NormalUrl): number => {
  const [aIsPlain, bIsPlain] = [!a.startsWith('https:'), !b.startsWith('https:')];
  if (aIsPlain !== bIsPlain) return aIsPlain ? 1 : -1;
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
};
