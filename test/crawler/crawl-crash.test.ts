import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CrawlSummary, readUrlRecords } from '../../crawler/index.ts';
import { openPageLogReader } from '../../indexer/index.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { html, startWeb, type TestWeb } from '../helpers/web.ts';

const CHILD = fileURLToPath(new URL('./crash-child.js', import.meta.url));
const PAGES = 400;

/** A tree of pages with cross links; every fortieth is a copy of page 1, every thirteenth is missing. */
const startTree = async (context: TestContext): Promise<TestWeb> => {
  const web = await startWeb({
    'a.test': {
      answer: (path) => {
        const number = Number(path.slice(1));
        if (!Number.isInteger(number) || number >= PAGES || number % 13 === 12) return { status: 404 };
        const links = [3 * number + 1, 3 * number + 2, 3 * number + 3, (7 * number) % PAGES].map(
          (n) => `/${n}`,
        );
        const shown = number % 40 === 39 ? 1 : number;
        return { ...html(`Page ${shown}`, `text of ${shown}`, links), delayMs: 3 };
      },
    },
  });
  context.after(() => web.close());
  return web;
};

/** Runs the crawl; kills it with SIGKILL once the server has been asked `killAfter` more times. */
const runChild = async (
  web: TestWeb,
  folder: string,
  killAfter: number,
): Promise<CrawlSummary | undefined> => {
  const child = spawn(process.execPath, [CHILD, '127.0.3.1', web.url('a.test', '/0'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const limit = web.log.length + killAfter;
  const timer = setInterval(() => {
    if (web.log.length >= limit) child.kill('SIGKILL');
  }, 2);
  await once(child, 'close');
  clearInterval(timer);
  return output === '' ? undefined : (JSON.parse(output) as CrawlSummary);
};

const resultOf = async (folder: string): Promise<{ urls: string[]; pages: string[] }> => {
  const urls: string[] = [];
  for await (const record of readUrlRecords(`${folder}/crawl`))
    urls.push(`${record.httpStatus} ${record.url}`);
  const last = new Map<string, string>();
  const reader = openPageLogReader(`${folder}/pages`);
  for await (const { record } of reader.records()) {
    last.set(record.url, record.kind === 'page' ? `${record.title} ${record.textHash}` : record.kind);
  }
  return { urls: urls.sort(), pages: [...last].map((entry) => entry.join(' ')).sort() };
};

describe('a crawl that is killed', () => {
  it('loses no page and archives none twice, wherever it is killed', async (context) => {
    const web = await startTree(context);
    const whole = await tempFolder(context);
    const summary = await runChild(web, whole, Number.POSITIVE_INFINITY);
    assert.equal(summary?.stopped, 'done');
    const expected = await resultOf(whole);
    assert.ok(expected.urls.length >= PAGES);

    const killed = await tempFolder(context);
    let last: CrawlSummary | undefined;
    for (const killAfter of [1, 40, 90, 150, Number.POSITIVE_INFINITY]) {
      last = await runChild(web, killed, killAfter);
    }
    assert.equal(last?.stopped, 'done');
    assert.deepEqual(await resultOf(killed), expected);
    const { asked, ok, byStatus, duplicates } = summary;
    assert.deepEqual(
      { ...last, asked, ok, byStatus, duplicates },
      last,
      'the counts are those of the whole crawl',
    );
  });
});
