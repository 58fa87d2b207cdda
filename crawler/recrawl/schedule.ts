import type { UrlStatus } from '../frontier/url-record.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** After how long a URL is visited again, by how its last visit ended. An estimate from its changes is a later release's. */
const REVISIT_S: Readonly<Record<UrlStatus, number>> = {
  unfetched: 0,
  fetched: 7 * DAY_S,
  notModified: 7 * DAY_S,
  duplicate: 7 * DAY_S,
  redirected: 7 * DAY_S,
  gone: 7 * DAY_S,
  excluded: DAY_S,
  failed: HOUR_S,
};

/** Seconds until a URL is due again after such an end. */
export const revisitIntervalS = (status: UrlStatus): number => REVISIT_S[status];
