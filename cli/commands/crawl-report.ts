import type { CrawlEvent, CrawlSummary, IndexSummary } from '../../index.ts';
import { formatBytes, formatCount, formatDuration, pluralOf } from '../../shards/index.ts';
import type { Progress } from '../progress.ts';

/** Shows what the crawl says: the live line, and remarks above it. */
export const showCrawlEvents =
  (progress: Progress, maxTimeS: number) =>
  (event: CrawlEvent): void => {
    switch (event.kind) {
      case 'statistics':
        progress.update(liveLine(event.statistics, maxTimeS));
        break;
      case 'scope':
        progress.say(`${event.seed} redirects to ${event.host}, which now belongs to the crawl`);
        break;
      case 'warning':
        progress.say(`warning: ${event.text}`);
        break;
      case 'page':
        break;
    }
  };

type Statistics = Extract<CrawlEvent, { kind: 'statistics' }>['statistics'];

const liveLine = (statistics: Statistics, maxTimeS: number): string => {
  const failures = Object.values(statistics.errors).reduce((sum, count) => sum + count, 0);
  const parts = [
    pluralOf(statistics.ok, 'page'),
    `${statistics.pagesPerS.toFixed(statistics.pagesPerS < 10 ? 1 : 0)}/s`,
    `${formatCount(statistics.queued)} waiting`,
    pluralOf(statistics.hosts, 'host'),
    ...(failures > 0 ? [pluralOf(failures, 'failure')] : []),
    formatDuration(statistics.elapsedMs),
    ...(maxTimeS > 0 ? [`${formatDuration(Math.max(0, maxTimeS * 1000 - statistics.elapsedMs))} left`] : []),
    ...(statistics.waitingFor === 'nothing' ? [] : [`waits for ${statistics.waitingFor}`]),
  ];
  return parts.join(' · ');
};

const table = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([name, value]) => `  ${name.padEnd(11)}${value}`).join('\n');

/** `robots 12, timeout 3`, most frequent first. */
export const byFrequency = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, left], [, right]) => right - left)
    .map(([name, count]) => `${name} ${formatCount(count)}`)
    .join(', ');

export const describeCrawl = (summary: CrawlSummary): string => {
  const missing = Object.fromEntries(Object.entries(summary.byStatus).filter(([status]) => status !== '200'));
  const rows: [string, string][] = [
    ['pages', `${formatCount(summary.ok)} of ${pluralOf(summary.asked, 'URL')} asked for`],
    ['hosts', formatCount(summary.hosts)],
    ['received', formatBytes(summary.bytes)],
  ];
  if (Object.keys(missing).length > 0) rows.push(['answers', byFrequency(missing)]);
  if (Object.keys(summary.errors).length > 0) rows.push(['failures', byFrequency(summary.errors)]);
  if (summary.queued > 0) rows.push(['waiting', pluralOf(summary.queued, 'URL')]);
  rows.push(['time', formatDuration(summary.durationMs)]);
  return `${TITLES[summary.stopped]}\n${table(rows)}`;
};

const TITLES = {
  done: 'Crawled everything in scope.',
  limit: 'Stopped at a limit; run the same command again to go on.',
  interrupted: 'Interrupted; everything is saved. Run the same command again to go on.',
} as const;

const changesOf = ({ updated, removed }: IndexSummary): string =>
  `${formatCount(updated)} new or changed, ${formatCount(removed)} removed`;

export const describeIndex = (summary: IndexSummary): string =>
  `Indexed.\n${table([
    ['documents', formatCount(summary.documents)],
    ...(summary.isRebuilt ? [] : [['changed', changesOf(summary)] as const]),
    ['left out', `${pluralOf(summary.duplicates, 'duplicate')}, ${pluralOf(summary.redirects, 'redirect')}`],
    ['index', `${formatBytes(summary.bytes)} in ${pluralOf(summary.shards, 'shard')}`],
    ['time', formatDuration(summary.durationMs)],
  ])}`;
