import type { NormalUrl } from '../../shards/index.ts';
import type { AnchorRow } from './invert-links.ts';

/** What other pages say about one. */
export interface InLinks {
  readonly target: NormalUrl;
  /** Pages of the same host that link to it. */
  readonly ownPages: number;
  /** Pages of other hosts that link to it. */
  readonly otherPages: number;
  /** The heaviest anchors, in falling order of weight, then by code units. */
  readonly anchors: readonly Anchor[];
}

export interface Anchor {
  readonly text: string;
  /** Pages of other hosts that use it, plus those of the own host at their lower weight. */
  readonly weight: number;
}

export interface AnchorLimits {
  /** Distinct anchors kept per target. */
  readonly anchorsPerTarget: number;
  /** Of them so many that only the own host uses. */
  readonly ownSiteAnchorsPerTarget: number;
  /** Weight of a link from the own host, percent. */
  readonly ownSiteLinkPercent: number;
}

/** Links counted with the own host's at their lower weight. */
export const weighLinks = (
  { ownPages, otherPages }: { readonly ownPages: number; readonly otherPages: number },
  ownSiteLinkPercent: number,
): number => otherPages + (ownPages * ownSiteLinkPercent) / 100;

/** Folds the rows of invert-links, which stand together by target, into one entry per target; memory: one target's anchors. */
export const collectInLinks = async function* (
  rows: AsyncIterable<AnchorRow>,
  limits: AnchorLimits,
): AsyncGenerator<InLinks> {
  let group: AnchorRow[] = [];
  for await (const row of rows) {
    if (group[0] !== undefined && group[0].target !== row.target) {
      yield foldGroup(group, limits);
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield foldGroup(group, limits);
};

const foldGroup = (rows: readonly AnchorRow[], limits: AnchorLimits): InLinks => {
  const total = rows.find(({ anchor }) => anchor === '') as AnchorRow;
  const named = rows.filter(({ anchor }) => anchor !== '');
  const fromOthers = heaviest(
    named.filter(({ otherPages }) => otherPages > 0),
    limits.anchorsPerTarget,
    limits,
  );
  const ownRoom = Math.min(limits.ownSiteAnchorsPerTarget, limits.anchorsPerTarget - fromOthers.length);
  const fromOwn = heaviest(
    named.filter(({ otherPages }) => otherPages === 0),
    ownRoom,
    limits,
  );
  return {
    target: total.target,
    ownPages: total.ownPages,
    otherPages: total.otherPages,
    anchors: [...fromOthers, ...fromOwn].sort(compareAnchors),
  };
};

const heaviest = (rows: readonly AnchorRow[], count: number, limits: AnchorLimits): Anchor[] =>
  rows
    .map((row) => ({ text: row.anchor, weight: weighLinks(row, limits.ownSiteLinkPercent) }))
    .sort(compareAnchors)
    .slice(0, count);

const compareAnchors = (a: Anchor, b: Anchor): number => {
  if (a.weight !== b.weight) return b.weight - a.weight;
  return a.text < b.text ? -1 : 1;
};
