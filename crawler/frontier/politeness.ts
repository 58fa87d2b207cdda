/** The user's two numbers; both 0 lifts every gap and the rule of one connection at a time. */
export interface PolitenessSettings {
  /** Least wait between the end of an answer and the next request to that host. */
  readonly delayMs: number;
  /** The wait is also this many times the last fetch (IIR 20.2.3 gives 10). */
  readonly politeness: number;
}

/** Share of the host's delay that an address keeps between requests to different hosts on it. */
const ADDRESS_SHARE = 1 / 4;

/** Whether hosts and addresses are spared at all. */
export const isPolite = ({ delayMs, politeness }: PolitenessSettings): boolean =>
  delayMs > 0 || politeness > 0;

/** A server may note the end of its answer a little after we have read it; its gap must be whole too. */
const MARGIN_MS = 25;

/** Wait counted from the end of the last answer: no cap, no bursts. Crawl-delay counts in the impolite mode too. */
export const hostGapMs = (
  { delayMs, politeness }: PolitenessSettings,
  host: { readonly fetchMs: number; readonly crawlDelayMs: number },
): number => {
  const gapMs = Math.max(delayMs, politeness * host.fetchMs, host.crawlDelayMs);
  return gapMs === 0 ? 0 : gapMs + MARGIN_MS;
};

/** Wait between two requests to different hosts of one address. */
export const addressGapMs = ({ delayMs }: PolitenessSettings): number => delayMs * ADDRESS_SHARE;

/** Wait after the n-th failure in a row (n from 1): base × 2^(n-1), capped, ± 10 % so that hosts do not come back together. */
export const backOffMs = (
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
  failures: number,
  random: () => number,
): number => Math.min(capMs, baseMs * 2 ** Math.min(30, failures - 1)) * (0.9 + 0.2 * random());
