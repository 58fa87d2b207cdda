import { type NormalUrl, segmentOrderKey } from '../../shards/index.ts';
import type { LogLocation } from '../archive/record.ts';
import { outerJoin } from '../mapreduce/merge-join.ts';
import type { LatestRecord } from './latest-records.ts';
import { type PageSketch, sketchOf } from './page-sketch.ts';

/** A URL as an index remembers it. */
export interface KnownPage {
  readonly sketch: PageSketch;
  /** Of the page's record in the log; a redirect needs none. */
  readonly location?: LogLocation;
  /** Whether it is a document of the index: a duplicate of another page is not. */
  readonly isIndexed: boolean;
}

/** A URL when what is new in the log has been read. */
export interface PageChange {
  readonly url: NormalUrl;
  /** undefined when there is nothing to index any more. */
  readonly sketch?: PageSketch;
  readonly location?: LogLocation;
  /** Whether the index has a document of it. */
  readonly wasIndexed: boolean;
  /** Whether the log has a new record of it. */
  readonly isChanged: boolean;
}

const ofKnown = ({ sketch, location, isIndexed }: KnownPage): PageChange => ({
  url: sketch.url,
  sketch,
  ...(location === undefined ? {} : { location }),
  wasIndexed: isIndexed,
  isChanged: false,
});

const ofLatest = (record: LatestRecord, wasIndexed: boolean): PageChange => {
  const sketch = sketchOf(record);
  const location = record.kind === 'page' ? record.location : undefined;
  return {
    url: record.url,
    ...(sketch === undefined ? {} : { sketch }),
    ...(location === undefined ? {} : { location }),
    wasIndexed,
    isChanged: true,
  };
};

/**
 * What was known of each URL, overtaken by the record that the new part of the log ends with; both in segment order. URLs
 * with nothing to index, neither before nor now, fall away.
 */
export const pageChanges = async function* (
  known: AsyncIterable<KnownPage>,
  latest: AsyncIterable<LatestRecord>,
): AsyncGenerator<PageChange> {
  const keyOf = {
    left: ({ sketch }: KnownPage) => segmentOrderKey(sketch.url),
    right: ({ url }: LatestRecord) => segmentOrderKey(url),
  };
  for await (const [before, now] of outerJoin(known, latest, keyOf)) {
    if (now === undefined) {
      if (before !== undefined) yield ofKnown(before);
      continue;
    }
    const change = ofLatest(now, before?.isIndexed ?? false);
    if (change.sketch !== undefined || change.wasIndexed) yield change;
  }
};
