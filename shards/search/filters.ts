import { RoaringBitmap32 } from '../segment/bitmap.ts';
import type { Segment } from '../segment/segment.ts';
import { DocSet } from './doc-set.ts';
import type { QueryPlan } from './query-plan.ts';

/** A segment's deletes never change, so their complement is made once. */
const liveOf = new WeakMap<Segment, DocSet>();

const liveDocuments = (segment: Segment, deletes: RoaringBitmap32): DocSet => {
  const known = liveOf.get(segment);
  if (known !== undefined) return known;
  const live = DocSet.without(deletes, segment.docCount);
  liveOf.set(segment, live);
  return live;
};

/**
 * Documents of the segment that a plan's filters and the deletes leave over; undefined when that is all of them.
 * A site named in a query is a hard filter, never a hint.
 */
export const allowedDocuments = (segment: Segment, plan: QueryPlan): DocSet | undefined => {
  const { deletes, docCount } = segment;
  if (plan.sites.length === 0 && plan.excludedSites.length === 0) {
    return deletes === undefined ? undefined : liveDocuments(segment, deletes);
  }
  const allowed =
    plan.sites.length === 0
      ? RoaringBitmap32.fromRange(0, docCount)
      : RoaringBitmap32.orMany(plan.sites.map((site) => segment.site(site)));
  for (const site of plan.excludedSites) allowed.andNotInPlace(segment.site(site));
  if (deletes !== undefined) allowed.andNotInPlace(deletes);
  return DocSet.of(allowed, docCount);
};
