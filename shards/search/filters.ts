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

/** Filters kept ready of each segment: pages of one answer, and other words about the same site, ask for the same. */
const KEPT_FILTERS = 8;
const filtersOf = new WeakMap<Segment, Map<string, DocSet>>();
const keys = new WeakMap<QueryPlan, string>();

const filterKey = (plan: QueryPlan): string => {
  const known = keys.get(plan);
  if (known !== undefined) return known;
  const key = JSON.stringify([plan.sites, plan.excludedSites]);
  keys.set(plan, key);
  return key;
};

/** The set of that name, made when it is not among those kept. */
const keptFilter = (segment: Segment, key: string, make: () => DocSet): DocSet => {
  const kept = filtersOf.get(segment) ?? new Map<string, DocSet>();
  filtersOf.set(segment, kept);
  const found = kept.get(key) ?? make();
  // The one used last stands last, so that the first is the one to drop.
  kept.delete(key);
  kept.set(key, found);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_FILTERS) break;
    kept.delete(oldest);
  }
  return found;
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
  return keptFilter(segment, filterKey(plan), () => {
    const allowed =
      plan.sites.length === 0
        ? RoaringBitmap32.fromRange(0, docCount)
        : RoaringBitmap32.orMany(plan.sites.map((site) => segment.site(site)));
    for (const site of plan.excludedSites) allowed.andNotInPlace(segment.site(site));
    if (deletes !== undefined) allowed.andNotInPlace(deletes);
    return DocSet.of(allowed, docCount);
  });
};
