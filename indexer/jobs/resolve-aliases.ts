import type { NormalUrl } from '../../shards/index.ts';

/**
 * Follows every alias (a redirect, or a duplicate with the page that was kept) to the end of its chain.
 * An alias whose chain runs in a circle is left out. Takes time linear in the number of aliases.
 */
export const resolveAliases = (
  direct: ReadonlyMap<NormalUrl, NormalUrl>,
): ReadonlyMap<NormalUrl, NormalUrl> => {
  const resolved = new Map<NormalUrl, NormalUrl>();
  const circular = new Set<NormalUrl>();
  for (const start of direct.keys()) {
    const path = new Set<NormalUrl>();
    let at: NormalUrl = start;
    // Ends at a URL that is no alias, at one that is known, or at one seen on this path.
    for (;;) {
      const next = direct.get(at);
      if (next === undefined || resolved.has(at) || circular.has(at) || path.has(at)) break;
      path.add(at);
      at = next;
    }
    if (path.has(at) || circular.has(at)) {
      for (const url of path) circular.add(url);
      continue;
    }
    const end = resolved.get(at) ?? at;
    for (const url of path) resolved.set(url, end);
  }
  return resolved;
};
