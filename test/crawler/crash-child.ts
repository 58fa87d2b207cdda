import { crawl, crawlConfig } from '../../crawler/index.ts';
import { openPageLogWriter } from '../../indexer/index.ts';

/** A crawl in a process of its own, for a test that kills it: ADDRESS SEED FOLDER. */
const [address = '', seed = '', folder = ''] = process.argv.slice(2);
const pages = await openPageLogWriter(`${folder}/pages`);
const summary = await crawl({
  config: crawlConfig.parse({ seeds: [seed], delayMs: 0, politeness: 0, concurrency: 4 }),
  folder: `${folder}/crawl`,
  pages,
  resolver: { resolve: () => Promise.resolve([address]) },
});
await pages.close();
process.stdout.write(`${JSON.stringify(summary)}\n`);
