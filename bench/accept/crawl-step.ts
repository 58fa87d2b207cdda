import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type LocalWeb, startLocalWeb, urlOf, type WebRequest } from '../local-web.ts';
import { builtProgram } from '../paths.ts';
import { type ProgramResult, type RunningProgram, runProgram } from '../program.ts';
import {
  crawlFolder,
  type ExportedUrl,
  exportedUrls,
  indexedCount,
  isIndexedType,
  summaryOf,
} from './outputs.ts';
import { createFetchPage, wordsOf } from './page-words.ts';
import type { StepContext } from './verdicts.ts';

/** Figures of the local web's README for a crawl of the whole of small.json. */
const EXPECTED = { asked: 2765, good: 2648, missing: 117 } as const;
/** An interruption comes when so many pages were answered: well after the start, well before the end. */
const INTERRUPT_AFTER_PAGES = 1000;
const INTERRUPTED_STATUS = 130;

type Rows = ReadonlyMap<string, ExportedUrl>;

const crawl = (
  web: LocalWeb,
  data: string,
  onStart?: (running: RunningProgram) => void,
): Promise<ProgramResult> => {
  const reach = ['--dns', web.dns, '--allow-private', '--delay', '0', '--politeness', '0'];
  const words = [builtProgram('crawl-and-index'), ...reach, '--data', data, '--json', ...web.seeds];
  return runProgram(process.execPath, words, onStart === undefined ? {} : { onStart });
};

const urlsWith = (requests: readonly WebRequest[], port: number, status?: number): Set<string> =>
  new Set(
    requests
      .filter((each) => status === undefined || each.status === status)
      .map((each) => urlOf(each, port)),
  );

const readRows = async (data: string): Promise<Rows> =>
  new Map((await exportedUrls(data)).map((row) => [row.url, row]));

/** URLs that the index keeps: answered 200, of a type that is indexed, no copy of another page. */
const keptUrls = (rows: Rows, good: ReadonlySet<string>): Set<string> =>
  new Set(
    [...rows.values()]
      .filter(
        ({ url, type, duplicateOf }) => good.has(url) && isIndexedType(type) && duplicateOf === undefined,
      )
      .map(({ url }) => url),
  );

const lastLine = ({ status, stderr }: ProgramResult): string =>
  `status ${status}${status === 0 ? '' : `, ${stderr.trim().split('\n').at(-1) ?? ''}`}`;

const claimCounts = (context: StepContext, web: LocalWeb, rows: Rows): void => {
  const requests = web.requests();
  const counts = {
    asked: urlsWith(requests, web.port).size,
    good: urlsWith(requests, web.port, 200).size,
    missing: urlsWith(requests, web.port, 404).size,
  };
  const shown = `${counts.asked} asked for, ${counts.good} times 200, ${counts.missing} times 404`;
  const asExpected =
    counts.asked === EXPECTED.asked && counts.good === EXPECTED.good && counts.missing === EXPECTED.missing;
  context.claim(
    'the web was asked for every URL that a link names, once',
    asExpected && requests.length === counts.asked,
    `${shown}, ${requests.length} requests`,
  );
  const unknown = [...urlsWith(requests, web.port)].filter((url) => !rows.has(url));
  context.claim(
    'export knows every URL that was asked for',
    unknown.length === 0,
    `${rows.size} URLs, ${unknown.length} of those asked for are missing`,
  );
};

/** What the command says of itself, against the web's log and the export. */
const claimSummary = (context: StepContext, result: ProgramResult, { pairs, kept }: Copies): void => {
  const summary = summaryOf(result.stdout);
  const { asked = 0, byStatus = {} } = summary?.crawl ?? {};
  const { documents = 0, duplicates = 0 } = summary?.index ?? {};
  const agrees =
    asked === EXPECTED.asked &&
    byStatus['200'] === EXPECTED.good &&
    byStatus['404'] === EXPECTED.missing &&
    documents === kept.size &&
    duplicates === pairs.length;
  const statuses = Object.entries(byStatus).map(([status, count]) => `${count} times ${status}`);
  const figure = `${asked} asked for, ${statuses.join(', ')}, ${documents} documents, ${duplicates} duplicates`;
  context.claim('the summary says the same', agrees, figure);
};

interface Copies {
  readonly pairs: readonly (readonly [copy: string, kept: string])[];
  readonly kept: ReadonlySet<string>;
}

const claimDuplicates = (context: StepContext, rows: Rows, good: ReadonlySet<string>): Copies => {
  const kept = keptUrls(rows, good);
  const pairs = [...rows.values()].flatMap(({ url, duplicateOf }) =>
    good.has(url) && duplicateOf !== undefined ? [[url, duplicateOf] as const] : [],
  );
  const astray = pairs.filter(([, of]) => !kept.has(of));
  context.claim(
    'each duplicate names a page that was kept',
    pairs.length > 0 && astray.length === 0,
    `${pairs.length} duplicates, ${astray.length} name another`,
  );
  const others = [...good].filter((url) => !isIndexedType(rows.get(url)?.type));
  const whole = kept.size + pairs.length + others.length === good.size;
  context.claim(
    'indexed is the 200s less duplicates and other types',
    whole,
    `${good.size} = ${kept.size} + ${pairs.length} + ${others.length}`,
  );
  return { pairs, kept };
};

const claimIndexed = async (
  context: StepContext,
  data: string,
  rows: Rows,
  kept: ReadonlySet<string>,
): Promise<void> => {
  const documents = await indexedCount(data);
  context.claim(
    'the index holds as many documents',
    documents === kept.size,
    `${documents ?? 'no number'} of ${kept.size}`,
  );
  const plain = [...kept].filter((url) => rows.get(url)?.type === 'text/plain');
  context.claim('text/plain is included', plain.length > 0, `${plain.length} pages`);
};

/** Compares with words that were read by another parser: copies are equal, kept pages differ. */
const claimWordsAgree = async (context: StepContext, { pairs, kept }: Copies): Promise<void> => {
  const fetchPage = await createFetchPage();
  const digests = new Map<string, string>();
  for (const url of new Set([...kept, ...pairs.flat()])) {
    const { type, body } = await fetchPage(url);
    digests.set(url, createHash('sha256').update(wordsOf(type, body)).digest('base64'));
  }
  const unlike = pairs.filter(([copy, of]) => digests.get(copy) !== digests.get(of));
  context.claim(
    'duplicates have the same words, read by another parser',
    unlike.length === 0,
    `${unlike.length} of ${pairs.length} differ${unlike[0] === undefined ? '' : `, such as ${unlike[0].join(' and ')}`}`,
  );
  const alike = kept.size - new Set([...kept].map((url) => digests.get(url))).size;
  context.claim('no two kept pages have the same words', alike === 0, `${alike} of ${kept.size} have`);
};

/** Crawls until so many pages were answered, ends the process with a signal, crawls again; gives the set that is kept. */
const crawlWithBreak = async (
  context: StepContext,
  signal: 'SIGINT' | 'SIGKILL',
  whole: ReadonlySet<string>,
): Promise<void> => {
  const data = join(context.workFolder, signal);
  await rm(data, { recursive: true, force: true });
  await using web = await startLocalWeb(join(context.workFolder, `${signal}.jsonl`));
  let ended = false;
  const interrupt = async (running: RunningProgram): Promise<void> => {
    while (!ended && urlsWith(web.requests(), web.port, 200).size < INTERRUPT_AFTER_PAGES) await wait(50);
    if (!ended) running.kill(signal);
  };
  let interrupting = Promise.resolve();
  const broken = await crawl(web, data, (running) => {
    interrupting = interrupt(running);
  });
  ended = true;
  await interrupting;
  const before = web.requests().length;
  if (signal === 'SIGINT') {
    context.claim(
      'Ctrl-C ends the crawl with everything saved',
      broken.status === INTERRUPTED_STATUS,
      lastLine(broken),
    );
  }
  const resumed = await crawl(web, data);
  const rows = await readRows(data);
  const kept = keptUrls(rows, urlsWith(web.requests(), web.port, 200));
  const differing =
    [...whole].filter((url) => !kept.has(url)).length + [...kept].filter((url) => !whole.has(url)).length;
  const again = web.requests().length - urlsWith(web.requests(), web.port).size;
  const documents = await indexedCount(data);
  const same = resumed.status === 0 && differing === 0 && documents === whole.size;
  const name = signal === 'SIGINT' ? 'Ctrl-C' : 'kill -9';
  context.claim(
    `the same set is indexed after ${name} and a restart`,
    same,
    `${documents ?? 0} documents, ${differing} URLs differ, interrupted after ${before} requests, ${again} asked for twice, ${lastLine(resumed)}`,
  );
};

/** Crawls the web into the work folder, unless an earlier step or call has. */
export const ensureCrawled = async (context: StepContext): Promise<string> => {
  const data = crawlFolder(context.workFolder);
  if (existsSync(data)) return data;
  context.say('crawling the local web');
  await using web = await startLocalWeb(join(context.workFolder, 'web.jsonl'));
  const result = await crawl(web, data);
  context.claim('the local web is crawled and indexed', result.status === 0, lastLine(result));
  return data;
};

/** The whole local web, uninterrupted, then with Ctrl-C, then with kill -9. */
export const crawlStep = async (context: StepContext): Promise<void> => {
  const data = crawlFolder(context.workFolder);
  await rm(data, { recursive: true, force: true });
  const logFile = join(context.workFolder, 'web.jsonl');
  await rm(logFile, { force: true });
  let whole: ReadonlySet<string>;
  {
    await using web = await startLocalWeb(logFile);
    context.say('crawling the local web');
    const result = await crawl(web, data);
    const seconds = (result.wallMs / 1000).toFixed(1);
    context.claim(
      'crawl-and-index ends well',
      result.status === 0,
      `${lastLine(result)}, ${seconds} s, peak ${Math.round(result.peakBytes / 1e6)} MB`,
    );
    const rows = await readRows(data);
    claimCounts(context, web, rows);
    const copies = claimDuplicates(context, rows, urlsWith(web.requests(), web.port, 200));
    claimSummary(context, result, copies);
    await claimIndexed(context, data, rows, copies.kept);
    context.say('reading the pages with another parser');
    await claimWordsAgree(context, copies);
    whole = copies.kept;
  }
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    context.say(`crawling with ${signal} in the middle`);
    await crawlWithBreak(context, signal, whole);
  }
};
