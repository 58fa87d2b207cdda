import type { CrawlConfig } from './config.ts';
import type { CrawlStore } from './frontier/store.ts';
import type { UrlRecord } from './frontier/url-record.ts';
import { type CrawlCounts, newCounts } from './stages/statistics.ts';

/** A visit round: from the start of a crawl, over all interruptions, to its end. Stored, so that a run can go on with it. */
export interface Round {
  readonly number: number;
  isFinished: boolean;
  readonly isFresh: boolean;
  readonly counts: CrawlCounts;
  /** URLs that the scope is measured from. */
  readonly scopeSeeds: readonly string[];
  /** The settings that decide which links are followed. */
  readonly scopeSettings: string;
  readonly startedAtMs: number;
  updatedAtMs: number;
}

const ROUND = 'round';
const EPOCH = 'epoch';

/** Number of this process run on the store, from 1; written by the next commit. */
export const nextEpoch = (store: CrawlStore): number => {
  const epoch = (store.meta<number>(EPOCH) ?? 0) + 1;
  store.putMeta(EPOCH, epoch);
  return epoch;
};

/** The round that was begun last, undefined before the first. */
export const loadRound = (store: CrawlStore): Round | undefined => store.meta<Round>(ROUND);
export const saveRound = (store: CrawlStore, round: Round): void => store.putMeta(ROUND, round);

const scopeSettingsOf = ({
  scope,
  include,
  exclude,
  includeDomain,
  excludeDomain,
  maxDepth,
}: CrawlConfig): string =>
  JSON.stringify({ scope, include, exclude, includeDomain, excludeDomain, maxDepth });

/** How a run begins. */
export interface RoundPlan {
  readonly round: Round;
  /** Whether it goes on with an unfinished one: what is queued stays, nothing becomes due. */
  readonly isResumed: boolean;
  /** Which known URLs are asked again. */
  readonly isDue: (record: UrlRecord) => boolean;
  /** Whether pages must be read again even if they have not changed, because other links of them are followed now. */
  readonly ignoresValidators: boolean;
}

/** What a run on this store has to do. */
export const planRound = (store: CrawlStore, config: CrawlConfig, nowMs: number): RoundPlan => {
  const last = loadRound(store);
  const scopeSettings = scopeSettingsOf(config);
  const hasNewScope = last !== undefined && last.scopeSettings !== scopeSettings;
  const visitsAll = config.fresh || hasNewScope;
  if (last !== undefined && !last.isFinished && !hasNewScope && (!config.fresh || last.isFresh)) {
    return { round: last, isResumed: true, isDue: () => false, ignoresValidators: false };
  }
  const round: Round = {
    number: (last?.number ?? 0) + 1,
    isFinished: false,
    isFresh: config.fresh,
    counts: newCounts(),
    scopeSeeds: last?.scopeSeeds ?? [],
    scopeSettings,
    startedAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  const isDue = ({ status, dueAtMs }: UrlRecord): boolean =>
    status !== 'unfetched' && (visitsAll || dueAtMs <= nowMs);
  return { round, isResumed: false, isDue, ignoresValidators: hasNewScope };
};
