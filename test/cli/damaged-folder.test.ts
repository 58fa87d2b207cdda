import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { builtProgram } from '../../bench/paths.ts';
import { runProgram } from '../../bench/program.ts';
import { type Answer, openIndex } from '../../index.ts';
import { assertRefused } from '../helpers/assert-refused.ts';
import { folderDigest } from '../helpers/folder-digest.ts';
import { type GeneratedWeb, startGeneratedWeb } from '../helpers/generated-web.ts';
import { crawlAndIndex, IMPOLITE, objectsOf, quarry, until } from '../helpers/quarry-program.ts';
import { makeTempFolder, removeTempFolder, tempFolder } from '../helpers/temp-folder.ts';

const PAGES = 40;

const flipBit = (file: string): void => {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length * 0.4);
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  writeFileSync(file, bytes);
};

const cutInHalf = (file: string): void => truncateSync(file, Math.floor(readFileSync(file).length / 2));

/** Why no small disk can be made here, false when it can. */
const mountSkip = (): string | false => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root may mount a small disk';
  const where = `/tmp/quarry-mount-${process.pid}`;
  try {
    mkdirSync(where);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', where], { stdio: 'ignore' });
    execFileSync('umount', [where], { stdio: 'ignore' });
    return false;
  } catch {
    return 'mount is not permitted here';
  }
};

/** Why no program can be kept from writing large files here, false when one can. */
const limitSkip = (): string | false =>
  spawnSync('prlimit', ['--fsize=1000', 'true']).status === 0 ? false : 'there is no prlimit';

describe('a data folder that is not well', { concurrency: 3 }, () => {
  let generated: GeneratedWeb;
  let whole: string;
  let folder: string;
  before(async () => {
    folder = await makeTempFolder();
    whole = join(folder, 'whole');
    generated = await startGeneratedWeb({ pageCount: PAGES });
    const made = await crawlAndIndex([...IMPOLITE, '--quiet', '--data', whole, ...generated.seeds]);
    assert.equal(made.status, 0, made.stderr);
  });
  after(async () => {
    await generated.web.close();
    await removeTempFolder(folder);
  });

  const copy = async (context: TestContext): Promise<string> => {
    const data = join(await tempFolder(context), 'data');
    cpSync(whole, data, { recursive: true });
    return data;
  };

  /** Each command refuses in one sentence and changes nothing. */
  const refuse = async (data: string, says: RegExp, commands: readonly string[][]): Promise<void> => {
    const before = folderDigest(data);
    for (const words of commands) {
      assertRefused(await quarry([...words, '--data', data]), { status: 1, says });
      assert.deepEqual(folderDigest(data), before, words.join(' '));
    }
  };

  /** Every byte of the index is whole, and it answers as before. */
  const stillServes = async (data: string): Promise<void> => {
    const status = await quarry(['status', '--verify', '--data', data]);
    assert.equal(status.status, 0, status.stderr);
    assert.match(status.stdout, /all whole/);
    const words = ['search', '--json', 'page', '--data'];
    const [found, expected] = await Promise.all([quarry([...words, data]), quarry([...words, whole])]);
    const hitsOf = (result: typeof found) => objectsOf<Answer>(result).map(({ hits }) => hits);
    assert.deepEqual(hitsOf(found), hitsOf(expected));
    assert.ok((hitsOf(found)[0]?.length ?? 0) > 0);
  };

  const crawlAgain = (data: string) =>
    crawlAndIndex([...IMPOLITE, '--quiet', '--json', '--data', data, ...generated.seeds]);

  it('is of another version: all refuse, nothing changes', async (context) => {
    const data = await copy(context);
    const file = join(data, 'config.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"version": \d+/, '"version": 99'));
    const before = folderDigest(data);
    const refusal = {
      status: 2,
      says: /another version: found 99, expected 1; use the Quarry that/,
    } as const;
    assertRefused(await crawlAndIndex([...IMPOLITE, '--data', data, ...generated.seeds]), refusal);
    for (const words of [['search', 'tree'], ['index'], ['serve', '--port', '0'], ['status'], ['export']]) {
      assertRefused(await quarry([...words, '--data', data]), refusal);
    }
    assert.deepEqual(folderDigest(data), before);
  });

  const DAMAGES = { 'a bit flipped in': flipBit, 'half of': cutInHalf } as const;
  type Damage = keyof typeof DAMAGES;

  for (const damage of Object.keys(DAMAGES) as Damage[]) {
    it(`has ${damage} its page log: index and export name file and byte, searches go on`, async (context) => {
      const data = await copy(context);
      DAMAGES[damage](join(data, 'pages/000001.pages'));
      const says = /pages\/000001\.pages is damaged at byte \d+: .*; put back that file from a snapshot, or/;
      await refuse(data, says, [['index'], ['export']]);
      const verified = await quarry(['status', '--verify', '--data', data]);
      assert.equal(verified.status, 1);
      assert.match(verified.stderr, says);
      await assertAnswers(data);
    });
  }

  /** The index has every document. */
  const assertAnswers = async (data: string): Promise<void> => {
    await using index = await openIndex({ data });
    const { total } = await index.search({ q: 'tree' });
    assert.deepEqual(total, { value: generated.documents.length, relation: 'eq' });
  };

  const PARTS: readonly (readonly [Damage, part: string])[] = [
    ['a bit flipped in', '000001.idx'],
    ['half of', 'manifest-000001'],
    ['a bit flipped in', '../../CURRENT'],
  ];
  for (const [damage, part] of PARTS) {
    it(`has ${damage} ${part}: a search says how to mend it, index and crawl do`, async (context) => {
      const data = await copy(context);
      DAMAGES[damage](join(data, 'shards/000001/01', part));
      const says = /is damaged: found .*; run `quarry index/;
      await refuse(data, says, [
        ['search', 'tree'],
        ['serve', '--port', '0'],
      ]);
      const again = join(data, '../again');
      cpSync(data, again, { recursive: true });
      const mended = await quarry(['index', '--rebuild', '--quiet', '--data', data]);
      assert.equal(mended.status, 0, mended.stderr);
      await assertAnswers(data);
      const crawled = await crawlAgain(again);
      assert.equal(crawled.status, 0, crawled.stderr);
      await assertAnswers(again);
    });
  }

  for (const part of ['000001.idx', 'manifest-000001', '']) {
    it(`has lost ${part || 'a shard'}: a search names what is gone and how to mend it`, async (context) => {
      const data = await copy(context);
      rmSync(join(data, 'shards/000001/01', part), { recursive: true });
      await refuse(data, /shards\/000001\/01\/\S+ is damaged: found nothing there, .*; run `quarry index/, [
        ['search', 'tree'],
        ['serve', '--port', '0'],
      ]);
      const mended = await quarry(['index', '--rebuild', '--quiet', '--data', data]);
      assert.equal(mended.status, 0, mended.stderr);
    });
  }

  for (const [part, ...commands] of [
    ['pages/000001.pages', ['index'], ['export'], ['status', '--verify']],
    ['pages/END', ['index'], ['export'], ['status', '--verify']],
    ['shards/CURRENT', ['index'], ['search', 'tree'], ['status']],
    ['shards/000001/01/manifest-000001', ['search', 'tree']],
    ['stats/000001.epoch', ['search', 'tree']],
  ] as const) {
    it(`has a folder in place of ${part}: one sentence names it`, async (context) => {
      const data = await copy(context);
      rmSync(join(data, part));
      mkdirSync(join(data, part));
      const says = new RegExp(
        `${part.replaceAll('.', '\\.')} cannot be used: .*; remove that folder and put`,
      );
      for (const words of commands) {
        const { status, stderr } = await quarry([...words, '--data', data]);
        assert.equal(status, 1, words.join(' '));
        assert.match(stderr, says);
        assert.match(stderr, /^[^\n]+\n$/, 'one line');
      }
    });
  }

  it('has a folder in place of a file of a shard: a search says that it is damaged', async (context) => {
    const data = await copy(context);
    const file = join(data, 'shards/000001/01/000001.idx');
    rmSync(file);
    mkdirSync(file);
    const says = /000001\.idx is damaged: found a folder, expected a file; run `quarry index/;
    await refuse(data, says, [['search', 'tree']]);
  });

  it('has a crawl store that is none: crawl, status and export say so', async (context) => {
    const data = await copy(context);
    writeFileSync(join(data, 'crawl/data.mdb'), Buffer.alloc(20_000, 'x'));
    const before = folderDigest(data);
    const says =
      /the crawl store in \S+ cannot be read: .*; restore it from a snapshot or crawl into another/;
    assertRefused(await crawlAgain(data), { status: 1, says });
    assertRefused(await quarry(['status', '--data', data]), { status: 1, says });
    assert.equal(folderDigest(data)?.['crawl/data.mdb'], before?.['crawl/data.mdb']);
  });

  it('has a port in use: serve refuses', async (context) => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    context.after(() => other.close());
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const port = String(address.port);
    await refuse(whole, new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is in use`), [
      ['serve', '--port', port],
    ]);
  });

  it('has a writer already: a second one is refused by its process id, readers are not', async (context) => {
    const data = join(await tempFolder(context), 'data');
    await using slow = await startGeneratedWeb({ pageCount: 200, delayMs: 200, seed: 2 });
    let kill: ((signal: NodeJS.Signals) => void) | undefined;
    const running = crawlAndIndex(
      [...IMPOLITE, '--concurrency', '1', '--quiet', '--data', data, ...slow.seeds],
      {
        onStart: (program) => {
          kill = program.kill;
        },
      },
    );
    await until(() => slow.web.log.length > 3, 'the first one crawls');
    const refusal = {
      status: 2,
      says: /^process \d+ is writing to the data folder .*; wait until it/,
    } as const;
    assertRefused(await crawlAndIndex([...IMPOLITE, '--data', data, ...slow.seeds]), refusal);
    assertRefused(await quarry(['index', '--data', data]), refusal);
    const status = await quarry(['status', '--data', data, '--json']);
    assert.equal(status.status, 0, status.stderr);
    kill?.('SIGINT');
    assert.equal((await running).status, 130);
  });

  it('may not grow: one sentence, and what was there stays', { skip: limitSkip() }, async (context) => {
    const data = await copy(context);
    const before = folderDigest(data);
    for (const bytes of [2000, 10_000]) {
      const words = [`--fsize=${bytes}`, process.execPath, builtProgram('quarry')];
      const says = /cannot be used: EFBIG: .*; allow larger files/;
      const index = ['index', '--rebuild', '--quiet', '--data', data];
      assertRefused(await runProgram('prlimit', [...words, ...index]), { status: 1, says });
      assert.deepEqual(folderDigest(data), before);
    }
    await stillServes(data);
  });

  it('lies on a full disk: one sentence, and what was there stays', {
    skip: mountSkip(),
  }, async (context) => {
    const disk = join(await tempFolder(context), 'disk');
    mkdirSync(disk);
    const big = join(disk, '../documents.jsonl');
    const text = Array.from({ length: 4000 }, (_, index) => `word${index * 7919}`).join(' ');
    const lines = Array.from({ length: 400 }, (_, index) =>
      JSON.stringify({ id: index, text: `${index} ${text}` }),
    );
    writeFileSync(big, lines.join('\n'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'none', disk]);
    try {
      cpSync(whole, join(disk, 'data'), { recursive: true });
      const before = folderDigest(join(disk, 'data'));
      const says = /disk .*(?:is full|has \d+ MB left|no space).*free some space/;
      const words = ['import', '--quiet', '--data', join(disk, 'data'), big];
      assertRefused(await quarry(words), { status: 1, says });
      assert.deepEqual(folderDigest(join(disk, 'data')), before);
      assertRefused(await quarry(['import', '--quiet', '--data', join(disk, 'new'), big]), {
        status: 1,
        says,
      });
      assert.equal(folderDigest(join(disk, 'new')), undefined);
      for (const kilobytes of [4, 24, 64]) {
        const { bavail, bsize } = statfsSync(disk);
        writeFileSync(join(disk, 'filler'), new Uint8Array(bavail * bsize - kilobytes * 1024));
        await refuse(join(disk, 'data'), says, [['index', '--rebuild', '--quiet']]);
        rmSync(join(disk, 'filler'));
      }
      await stillServes(join(disk, 'data'));
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});
