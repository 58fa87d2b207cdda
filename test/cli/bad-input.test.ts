import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { assertRefused, type Refusal } from '../helpers/assert-refused.ts';
import { folderDigest } from '../helpers/folder-digest.ts';
import { crawlAndIndex, IMPOLITE, quarry } from '../helpers/quarry-program.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { html, site, startWeb, type TestWeb } from '../helpers/web.ts';

/** One host for each way in which a site can be of no use. */
const GOOD = '127.0.3.1';
const FORBIDDEN = '127.0.3.2';
const NOINDEX = '127.0.3.3';
const IMAGES = '127.0.3.4';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const IMAGE = { headers: { 'content-type': 'image/gif' }, body: PIXEL };
const META = '<meta name="robots" content="noindex">';

const startBadWeb = (): Promise<TestWeb> =>
  startWeb({
    [GOOD]: site({
      '/': html('Good', 'a page that is good', ['/a']),
      '/a': html('Other', 'another page'),
    }),
    [FORBIDDEN]: site({
      '/': html('Forbidden', 'not for robots'),
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /\n',
      },
    }),
    [NOINDEX]: site({
      '/': html('Start', 'do not index', ['/a'], META),
      '/a': html('Other', 'do not index either', [], META),
    }),
    [IMAGES]: site({ '/': IMAGE, '/other.gif': IMAGE }),
  });

/** A port that nobody listens on, in the moment in which it is asked for. */
const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe('bad input on a folder that does not exist leaves none behind', { concurrency: 3 }, () => {
  let web: TestWeb;
  before(async () => {
    web = await startBadWeb();
  });
  after(() => web.close());

  const refuses = async (
    context: TestContext,
    refusal: Refusal,
    words: readonly string[],
    run = crawlAndIndex,
  ): Promise<void> => {
    const folder = await tempFolder(context);
    const result = await run([...words, '--data', join(folder, 'data')], { cwd: folder });
    assertRefused(result, refusal);
    assert.deepEqual(folderDigest(folder), {});
  };

  const SEEDS: readonly (readonly [name: string, status: 1 | 2, says: RegExp, ...words: string[]])[] = [
    ['no seed', 2, /name at least one URL/],
    ['an empty seed', 2, /no seed URL.*name at least one/, ''],
    ['a seed of FTP', 2, /^seed "ftp:\/\/a\.test\/" is not http or https \(ftp\)/, 'ftp://a.test/'],
    ['a mail address', 2, /is not http or https \(mailto\)/, 'mailto:a@b.test'],
    ['a script', 2, /is not http or https \(javascript\)/, 'javascript:alert(1)'],
    ['garbage', 2, /^seed "::::" is not a URL; write it like https:/, '::::'],
    ['a seed without a host', 2, /is not a URL/, 'http://'],
    ['a host that does not exist', 1, /has no address .*check the name/, 'http://no-such-host.invalid/'],
    ['an unknown option', 2, /unknown option --frobnicate; see .*--help/, '--frobnicate', 'http://a.test/'],
    ['an option without its value', 2, /--delay.*needs a value/, 'http://a.test/', '--delay'],
    ['no settings file', 2, /^crawl-and-index: --config: needs a value\n/, 'http://a.test/', '--config'],
    ['a delay that is no number', 2, /--delay soon: is not a number/, '--delay', 'soon', 'http://a.test/'],
    ['a count below the least', 2, /"concurrency": 0 is not allowed/, '--concurrency', '0', 'http://a.test/'],
    ['an unknown scope', 2, /"scope": "moon" is not allowed/, '--scope', 'moon', 'http://a.test/'],
    ['too many shards', 2, /"shards": 100000 is not allowed/, '--shards', '100000', 'http://a.test/'],
    ['a broken pattern', 2, /pattern "\(" is no regular expression/, '--include', '(', 'http://a.test/'],
    ['a broken agent', 2, /agent "!!" has no product token/, '--agent', '!!', 'http://a.test/'],
    ['a broken name server', 2, /"moon" is not a name server; give/, '--dns', 'moon', 'http://a.test/'],
    ['a missing seed file', 2, /seed file none\.txt: cannot be read/, '--seeds', 'none.txt'],
    ['a missing settings file', 2, /settings file none\.json: cannot be/, '--config', 'none.json', 'a.test'],
    ['a port beyond the last', 2, /port 70000 is not in 0 to 65535/, '--serve', '70000', 'http://a.test/'],
    ['WARC output', 2, /--warc is not in this version/, '--warc', 'http://a.test/'],
  ];
  for (const [name, status, says, ...words] of SEEDS) {
    it(name, (context) => refuses(context, { status, says }, words));
  }

  it('a seed that nobody listens for', async (context) => {
    const port = await freePort();
    const says = /^seed http:\/\/127\.0\.0\.1:\d+\/ cannot be fetched .*check that the site is up/;
    await refuses(context, { status: 1, says }, [...IMPOLITE, `http://127.0.0.1:${port}/`]);
  });

  it('a seed that robots.txt forbids', async (context) => {
    const says = /^robots\.txt of the site forbids seed .*; ask its owner, or start elsewhere/;
    await refuses(context, { status: 1, says }, [...IMPOLITE, web.url(FORBIDDEN)]);
  });

  it('seeds of which none works: a warning for each but the last, which the error names', async (context) => {
    const folder = await tempFolder(context);
    const words = [...IMPOLITE, '--data', join(folder, 'data'), '--concurrency', '1'];
    const result = await crawlAndIndex([...words, web.url(FORBIDDEN), 'http://no-such-host.invalid/']);
    const lines = result.stderr.trim().split('\n');
    assert.equal(lines.length, 2, result.stderr);
    assert.match(lines[0] ?? '', /^warning: seed \S+ does not work/);
    assert.notEqual(lines[0]?.includes('invalid'), lines[1]?.includes('invalid'));
    assert.equal(result.status, 1);
    assert.deepEqual(folderDigest(folder), {});
  });

  it('a seed that does not work leaves a folder that holds a crawl as it was', async (context) => {
    const folder = await tempFolder(context);
    const data = ['--data', join(folder, 'data')];
    assert.equal((await crawlAndIndex([...IMPOLITE, ...data, web.url(GOOD)])).status, 0);
    const before = folderDigest(folder);
    const refusal: Refusal = {
      status: 1,
      says: /^(?:the host of )?seed \S+|^robots\.txt of the site forbids/,
    };
    for (const seed of ['http://no-such-host.invalid/', web.url(FORBIDDEN)]) {
      assertRefused(await crawlAndIndex([...IMPOLITE, '--quiet', ...data, seed]), refusal);
      assert.deepEqual(folderDigest(folder), before);
    }
  });

  it('a site that does not want to be indexed', async (context) => {
    const says = /^nothing .* can be indexed: no page of HTML or text that allows it/;
    await refuses(context, { status: 1, says }, [...IMPOLITE, '--quiet', web.url(NOINDEX)]);
  });

  it('a site of images', async (context) => {
    const seeds = [web.url(IMAGES), web.url(IMAGES, '/other.gif')];
    const says = /^nothing .* can be indexed/;
    await refuses(context, { status: 1, says }, [...IMPOLITE, '--quiet', ...seeds]);
  });

  it('a port in use by another program, before anything is fetched', async (context) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    context.after(() => other.close());
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const says = new RegExp(`^port ${address.port} on 127\\.0\\.0\\.1 is in use .*choose another port`);
    const words = [...IMPOLITE, '--serve', String(address.port), web.url(GOOD, '/not-asked')];
    await refuses(context, { status: 1, says }, words);
    assert.ok(web.log.every(({ path }) => path !== '/not-asked'));
  });

  const COMMANDS: readonly (readonly [name: string, says: RegExp, ...words: string[]])[] = [
    ['an unknown command', /there is no command frob; quarry --help lists them/, 'frob'],
    ['a search without an index', /there is no data folder .*crawl or import something first/, 'search', 'a'],
    ['an index of nothing', /there is no data folder/, 'index'],
    ['a server of nothing', /there is no data folder/, 'serve'],
    ['an export of nothing', /there is no data folder/, 'export'],
    ['the status of nothing', /there is no data folder/, 'status'],
    ['an import of nothing', /name at least one file to import/, 'import'],
    ['an import of a file that is not there', /none\.jsonl cannot be read/, 'import', 'none.jsonl'],
    ['an import of WARC', /none\.warc: WARC input is not in this version/, 'import', 'none.warc'],
    ['an import of anything else', /none\.pdf: a file of this kind cannot/, 'import', 'none.pdf'],
    ['a search without words', /give the words to search for/, 'search'],
    ['a top of no number', /-?-top many: is not a whole number/, 'search', '-k', 'many', 'a'],
    ['a command of a later version', /quarry graph is not in this version: /, 'graph'],
  ];
  for (const [name, says, ...words] of COMMANDS) {
    it(name, async (context) => {
      // An unknown command knows no options either.
      const [command = '', ...rest] = words;
      await refuses(context, { status: 2, says }, [command, ...rest], quarry);
    });
  }
});

describe('bad files of the user', { concurrency: 3 }, () => {
  const SETTINGS: readonly (readonly [name: string, content: string, says: RegExp])[] = [
    ['not JSON', '{"delay":', /settings file \S+: cannot be read \(.*JSON/],
    ['not an object', '[1]', /must hold one JSON object/],
    ['an unknown name', '{"colour":1}', /unknown setting "colour"; known ones are .*delay/],
    ['a value of another kind', '{"data":5}', /"data" must be one string/],
    ['a list of another kind', '{"exclude":["a",1]}', /"exclude" must be a list of strings/],
    ['a number out of range', '{"delayMs":-1}', /"delayMs": -1 is not allowed; must be >= 0/],
    [
      'a host with an unknown setting',
      '{"hosts":{"a.test":{"content":5}}}',
      /setting "hosts": .* not allowed/,
    ],
  ];
  for (const [name, content, says] of SETTINGS) {
    it(`settings: ${name}`, async (context) => {
      const folder = await tempFolder(context);
      writeFileSync(join(folder, 'settings.json'), content);
      const before = folderDigest(folder);
      const words = ['--config', join(folder, 'settings.json'), 'http://a.test/'];
      assertRefused(await crawlAndIndex(words, { cwd: folder }), { status: 2, says });
      assert.deepEqual(folderDigest(folder), before);
    });
  }

  const LINES: readonly (readonly [name: string, line: string, says: RegExp])[] = [
    ['not JSON', '{bad', /documents\.jsonl, line 2: not JSON; nothing was imported/],
    ['no text', '{"url":"http://a.test/"}', /line 2: text must be a string/],
    ['no name', '{"text":"a"}', /line 2: url or id is missing/],
    [
      'a long URL',
      JSON.stringify({ url: `http://a.test/${'a'.repeat(3000)}`, text: 'b' }),
      /line 2: url must be .* \(longer than 2048 characters\)/,
    ],
    ['an odd URL', '{"url":"a","text":"b"}', /line 2: url must be an absolute http or https URL/],
  ];
  for (const [name, line, says] of LINES) {
    it(`import: ${name}`, async (context) => {
      const folder = await tempFolder(context);
      const file = join(folder, 'documents.jsonl');
      writeFileSync(file, `{"id":1,"text":"good"}\n${line}\n`);
      const before = folderDigest(folder);
      const words = ['import', '--data', join(folder, 'data'), file];
      assertRefused(await quarry(words), { status: 2, says });
      assert.deepEqual(folderDigest(folder), before);
    });
  }

  it("refuses a folder with somebody else's files", async (context) => {
    const folder = await tempFolder(context);
    writeFileSync(join(folder, 'letter.txt'), 'dear');
    const before = folderDigest(folder);
    const refusal = { status: 2, says: /holds other files and no Quarry data; point --data at/ } as const;
    const data = ['--data', folder];
    assertRefused(await crawlAndIndex(['http://a.test/', ...data]), refusal);
    for (const words of [['search', 'a'], ['index'], ['serve', '--port', '0'], ['status']]) {
      assertRefused(await quarry([...words, ...data]), refusal);
    }
    assert.deepEqual(folderDigest(folder), before);
  });

  it('refuses a data folder that is a file', async (context) => {
    const folder = await tempFolder(context);
    const file = join(folder, 'file');
    writeFileSync(file, 'dear');
    const refusal = { status: 2, says: /cannot be used .*point --data at a folder/ } as const;
    assertRefused(await crawlAndIndex(['http://a.test/', '--data', file]), refusal);
    assertRefused(await quarry(['status', '--data', file]), refusal);
    assert.deepEqual(Object.keys(folderDigest(folder) ?? {}), ['file']);
  });

  it('refuses a data folder that cannot be made', async (context) => {
    const folder = await tempFolder(context);
    writeFileSync(join(folder, 'file'), 'dear');
    mkdirSync(join(folder, 'closed'), { mode: 0o500 });
    // A file is no folder to anyone; what may not be written to, root may.
    const places = process.getuid?.() === 0 ? ['file/data'] : ['file/data', 'closed/data'];
    const refusal = { status: 2, says: /cannot be used .*point --data at a folder that you may/ } as const;
    for (const place of places) {
      assertRefused(await crawlAndIndex(['http://a.test/', '--data', join(folder, place)]), refusal);
    }
    assert.deepEqual(Object.keys(folderDigest(folder) ?? {}), ['closed/', 'file']);
  });
});
