import { hostOfUrl, type NormalUrl, segmentOrderKey } from '../../shards/index.ts';
import type { PageLink } from '../archive/record.ts';
import type { Job } from '../mapreduce/job.ts';
import type { LatestPage } from './latest-records.ts';

/**
 * How many pages link to `target` with the text `anchor`; under the anchor '' how many link to it at all.
 * A page counts once, however many such links it has.
 */
export interface AnchorRow {
  readonly target: NormalUrl;
  readonly anchor: string;
  /** Pages of the target's own host. */
  readonly ownPages: number;
  /** Pages of other hosts. */
  readonly otherPages: number;
}

/** Longer link texts are cut: they are sentences, not names (Nutch cuts at the same length). */
export const MAX_ANCHOR_CHARS = 100;
/** Below every character of an order key, so that all anchors of a target stand together and in its place. */
const KEY_SEPARATOR = '\u0001';
const WEIGHTLESS_REL = new Set(['nofollow', 'ugc', 'sponsored']);

/**
 * Turns "page links to target" round (IIR 21.1 and 20.4; invertlinks of Nutch).
 *
 *   page ─► (order key of target + anchor, counts) ─ sum ─► one row per target and anchor, targets in segment order
 *
 * `resolve` names the page that stands for an alias. Links to oneself and links that say nofollow count nothing.
 */
export const invertLinks = (
  resolve: (url: NormalUrl) => NormalUrl,
): Job<LatestPage, AnchorRow, AnchorRow> => ({
  name: 'links',
  map: (page, emit) => {
    if (page.robots.nofollow) return;
    const host = hostOfUrl(page.url);
    for (const [target, anchors] of anchorsByTarget(page, resolve)) {
      const isOwn = hostOfUrl(target) === host;
      const counts = { target, ownPages: isOwn ? 1 : 0, otherPages: isOwn ? 0 : 1 };
      const prefix = segmentOrderKey(target) + KEY_SEPARATOR;
      for (const anchor of anchors) emit(prefix + anchor, { ...counts, anchor });
    }
  },
  combine: (_key, left, right) => addRows(left, right),
  reduce: () => {
    let sum: AnchorRow | undefined;
    return {
      add: (row) => {
        sum = sum === undefined ? row : addRows(sum, row);
      },
      end: (emit) => {
        if (sum !== undefined) emit(sum);
      },
    };
  },
});

const addRows = (left: AnchorRow, right: AnchorRow): AnchorRow => ({
  ...left,
  ownPages: left.ownPages + right.ownPages,
  otherPages: left.otherPages + right.otherPages,
});

/** The distinct anchors of a page's links, by the page that they lead to; '' always among them. */
const anchorsByTarget = (
  page: LatestPage,
  resolve: (url: NormalUrl) => NormalUrl,
): Map<NormalUrl, Set<string>> => {
  const byTarget = new Map<NormalUrl, Set<string>>();
  for (const link of page.links) {
    if (isWeightless(link)) continue;
    const target = resolve(link.url);
    if (target === page.url) continue;
    const anchors = byTarget.get(target) ?? new Set(['']);
    byTarget.set(target, anchors.add(cutAnchor(link.anchor)));
  }
  return byTarget;
};

const isWeightless = ({ rel }: PageLink): boolean =>
  rel !== '' && rel.split(' ').some((token) => WEIGHTLESS_REL.has(token));

const LAST_HALF_PAIR = /[\ud800-\udbff]$/;

/** At most MAX_ANCHOR_CHARS code units, never half of a surrogate pair at the end. */
const cutAnchor = (anchor: string): string =>
  anchor.length <= MAX_ANCHOR_CHARS
    ? anchor.trim()
    : anchor.slice(0, MAX_ANCHOR_CHARS).replace(LAST_HALF_PAIR, '').trim();
