import { type CrawlStatus, hasCrawl, readCrawlStatus } from '../../crawler/index.ts';
import { type DataFolder, measureFolder, openDataFolder } from '../../indexer/index.ts';
import {
  currentGeneration,
  type Drift,
  driftFrom,
  formatBytes,
  formatCount,
  maxOverMean,
  type NodeStatus,
  openNode,
  readContributions,
  slotCounts,
} from '../../shards/index.ts';
import { type Command, option } from '../command.ts';
import { byFrequency } from './crawl-report.ts';
import { showNodeStatus } from './node-status.ts';
import { verifyFolder } from './verify-folder.ts';

interface IndexStatus extends NodeStatus {
  readonly documents: number;
  /** Relative change of the index since its statistics were counted. */
  readonly drift: Drift & { readonly frequencies: number };
  /** How even the shards are: their slots; largest documents and bytes over the mean, 1 for all alike. */
  readonly balance: { readonly slots: readonly number[]; readonly documents: number; readonly bytes: number };
  /** When what each shard adds to the statistics was counted. */
  readonly contributions: readonly { readonly shard: number; readonly countedAtMs: number }[];
}

const indexStatus = async (folder: DataFolder): Promise<IndexStatus | undefined> => {
  const current = await currentGeneration(folder.shards);
  if (current === undefined) return undefined;
  const node = await openNode({ shardsFolder: folder.shards, statsFolder: folder.stats, pollMs: 0 });
  try {
    const status = await node.status();
    const contributions = await readContributions(folder.stats);
    return {
      ...status,
      documents: status.shards.reduce((sum, { docCount }) => sum + docCount, 0),
      balance: {
        slots: slotCounts(current.slots, current.shardCount),
        documents: maxOverMean(status.shards.map(({ docCount }) => docCount)),
        bytes: maxOverMean(status.shards.map(({ bytes }) => bytes)),
      },
      drift: {
        ...driftFrom(await node.statistics(), status.shards),
        frequencies: await node.frequencyDrift(),
      },
      contributions: [...contributions.values()].map(({ shard, countedAtMs }) => ({ shard, countedAtMs })),
    };
  } finally {
    await node.close();
  }
};

interface FolderStatus {
  readonly folder: string;
  /** Of the disk. */
  readonly bytes: { readonly pages: number; readonly crawl: number; readonly shards: number };
  readonly crawl: CrawlStatus | undefined;
  readonly index: IndexStatus | undefined;
}

/** A round that ended with URLs waiting ended at a limit. */
const describeState = ({ state, queued }: CrawlStatus): string => {
  if (state === 'open') return 'open: run the same command again to go on';
  return queued > 0 ? 'stopped at a limit: run the same command again to go on' : 'finished';
};

const describeCrawl = (crawl: CrawlStatus | undefined): string[] => {
  if (crawl === undefined || crawl.state === 'none') return ['crawl      none'];
  const { counts, last } = crawl;
  return [
    `crawl      ${describeState(crawl)}; round ${crawl.round}, last saved ${new Date(crawl.updatedAtMs).toISOString()}`,
    `urls       ${formatCount(crawl.knownUrls)} known, ${formatCount(crawl.queued)} waiting`,
    ...(counts === undefined
      ? []
      : [
          ...(Object.keys(counts.byStatus).length > 0 ? [`answers    ${byFrequency(counts.byStatus)}`] : []),
          ...(Object.keys(counts.errors).length > 0 ? [`failures   ${byFrequency(counts.errors)}`] : []),
        ]),
    ...(crawl.state === 'open' && last !== undefined
      ? [`speed      ${last.pagesPerS.toFixed(1)} pages/s, waits for ${last.waitingFor}`]
      : []),
    ...crawl.hosts
      .filter(({ waiting }) => waiting > 0)
      .map(
        ({ host, waiting, failures }) =>
          `  ${host}: ${formatCount(waiting)} waiting${failures > 0 ? `, ${failures} failures in a row` : ''}`,
      ),
  ];
};

const percent = (change: number): string => `${(100 * change).toFixed(1)} %`;

/** What the statistics count, and how far the index has moved on since. */
const describeStatistics = ({ drift, contributions, epoch }: IndexStatus): string => {
  const oldest = Math.min(...contributions.map(({ countedAtMs }) => countedAtMs));
  const since = Number.isFinite(oldest) ? `, oldest shard counted ${new Date(oldest).toISOString()}` : '';
  const lengths = Math.max(...Object.values(drift.averageLengths).map(Math.abs));
  return (
    `statistics epoch ${epoch}${since}; since then documents ${percent(drift.documents)}, ` +
    `lengths ${percent(lengths)}, frequencies ${percent(drift.frequencies)}`
  );
};

const describeBalance = ({ shards, balance }: IndexStatus): string => {
  const bytes = shards.map((shard) => formatBytes(shard.bytes)).join(' ');
  const { documents, bytes: byBytes, slots } = balance;
  return `balance    ${bytes}; largest over mean: documents ${documents.toFixed(2)}, bytes ${byBytes.toFixed(2)}; slots ${slots.join(' ')}`;
};

const describeIndex = (index: IndexStatus | undefined): string[] => {
  if (index === undefined) return ['index      none; quarry index makes it'];
  const sizes = index.shards.map(({ docCount }) => formatCount(docCount)).join(' ');
  return [
    `index      generation ${index.generation}, epoch ${index.epoch}, ${formatCount(index.documents)} documents`,
    `shards     ${index.shards.length}, documents ${sizes}`,
    describeBalance(index),
    describeStatistics(index),
  ];
};

const describe = (status: FolderStatus): string =>
  [
    `folder     ${status.folder}`,
    ...describeCrawl(status.crawl),
    ...describeIndex(status.index),
    `disk       page log ${formatBytes(status.bytes.pages)}, crawl ${formatBytes(status.bytes.crawl)}, shards ${formatBytes(status.bytes.shards)}`,
  ].join('\n');

export const statusCommand: Command = {
  name: 'status',
  takes: '',
  summary: 'Tells what the data folder holds and how its crawl is doing.',
  options: [
    option({ flag: 'verify', kind: 'boolean', help: 'read everything and check every checksum' }),
    option({
      flag: 'nodes',
      help: 'ask shard servers instead; exit status 1 when one is not ready',
      placeholder: 'HOST:PORT,…',
    }),
    option({ flag: 'node-token', help: 'the token that they ask for' }),
  ],
  run: async ({ data, output, settings, signal }) => {
    const { nodes, nodeToken } = settings;
    if (typeof nodes === 'string') {
      return showNodeStatus(nodes.split(','), typeof nodeToken === 'string' ? nodeToken : undefined, {
        output,
      });
    }
    const folder = await openDataFolder(data);
    const [pages, crawl, shards] = await Promise.all([
      measureFolder(folder.pages),
      measureFolder(folder.crawl),
      measureFolder(folder.shards),
    ]);
    const status: FolderStatus = {
      folder: folder.root,
      bytes: { pages: pages.diskBytes, crawl: crawl.diskBytes, shards: shards.diskBytes },
      crawl: hasCrawl(folder.crawl) ? await readCrawlStatus(folder.crawl) : undefined,
      index: await indexStatus(folder),
    };
    output.result(status, () => describe(status));
    if (settings['verify'] !== true) return 0;
    const verified = await verifyFolder(folder, signal);
    output.result(
      verified,
      () =>
        `verified   ${formatCount(verified.records)} records of the page log, ${formatCount(verified.segments)} segments: all whole`,
    );
    return 0;
  },
};
