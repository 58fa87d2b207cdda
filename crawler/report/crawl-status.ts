import { CrawlStore } from '../frontier/store.ts';
import type { UrlRecord } from '../frontier/url-record.ts';
import { loadRound } from '../round.ts';
import type { CrawlCounts, CrawlStatistics } from '../stages/statistics.ts';

export interface HostStatus {
  readonly host: string;
  /** URLs that wait. */
  readonly waiting: number;
  /** Wall clock before which it is not contacted; in the past when it may be. */
  readonly notBeforeMs: number;
  /** Failures in a row that count against the host. */
  readonly failures: number;
  readonly answers: number;
}

/** How a crawl is doing, as of its last commit (at most a second ago while it runs). */
export interface CrawlStatus {
  /** `open`: it runs, or was interrupted and goes on at the next start. */
  readonly state: 'none' | 'open' | 'finished';
  /** Visit round, from 1. */
  readonly round: number;
  readonly startedAtMs: number;
  readonly updatedAtMs: number;
  readonly counts: CrawlCounts | undefined;
  readonly knownUrls: number;
  readonly queued: number;
  /** Those with most URLs waiting first. */
  readonly hosts: readonly HostStatus[];
  /** The last figures of a run: pages per second and what it waited for. */
  readonly last: CrawlStatistics | undefined;
}

const HOSTS_SHOWN = 20;

const hostsOf = (store: CrawlStore): HostStatus[] => {
  const waiting = new Map<bigint, number>();
  for (const { host } of store.queueKeys()) waiting.set(host, (waiting.get(host) ?? 0) + 1);
  const hosts: HostStatus[] = [];
  for (const { id, row } of store.hosts()) {
    const { host, notBeforeMs, failures, answers } = row;
    hosts.push({ host, waiting: waiting.get(id) ?? 0, notBeforeMs, failures, answers });
  }
  return hosts.sort((a, b) => b.waiting - a.waiting || b.answers - a.answers);
};

/** Whether anything was ever crawled into the folder (`crawl/` of a data folder): an import does not. */
export const hasCrawl = (folder: string): boolean => CrawlStore.exists(folder);

/** Reads a crawl store, also while a crawl runs on it. Errors: CRAWL_STORE_…. */
export const readCrawlStatus = async (folder: string): Promise<CrawlStatus> => {
  const store = CrawlStore.open(folder, { readOnly: true });
  try {
    const round = loadRound(store);
    return {
      state: round === undefined ? 'none' : round.isFinished ? 'finished' : 'open',
      round: round?.number ?? 0,
      startedAtMs: round?.startedAtMs ?? 0,
      updatedAtMs: round?.updatedAtMs ?? 0,
      counts: round?.counts,
      knownUrls: store.urlCount,
      queued: store.queueCount,
      hosts: hostsOf(store).slice(0, HOSTS_SHOWN),
      last: store.meta<CrawlStatistics>('statistics'),
    };
  } finally {
    await store.close();
  }
};

/** All known URLs, in the order of the store (by partition, then by hash). Errors: CRAWL_STORE_…. */
export async function* readUrlRecords(folder: string): AsyncGenerator<Readonly<UrlRecord>> {
  const store = CrawlStore.open(folder, { readOnly: true });
  try {
    for (const { record } of store.urls()) yield record;
  } finally {
    await store.close();
  }
}
