import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import {
  Compression,
  encodeFrame,
  encodeMark,
  FrameKind,
  PAGE_LOG_FORMAT,
} from '../../../indexer/archive/frame.ts';
import { openPageLogReader, openPageLogWriter } from '../../../indexer/index.ts';
import { encodeHeader } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { pageOf } from './page-records.ts';

/** Read errors that damage may end in; anything else is a bug. */
const DAMAGE = new Set(['INDEXER_LOG_DAMAGED', 'SHARDS_FILE_CORRUPT']);

const readUrls = async (folder: string): Promise<string[] | 'damage'> => {
  const urls: string[] = [];
  try {
    for await (const { record } of openPageLogReader(folder).records()) urls.push(record.url);
    return urls;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined || !DAMAGE.has(code)) throw error;
    return 'damage';
  }
};

/** Three syncs of two records each; what may be read of a damaged copy is the records up to one of the syncs. */
const URLS = Array.from({ length: 6 }, (_, index) => `http://a.test/${index}`);
const PREFIXES = [0, 2, 4, 6].map((count) => URLS.slice(0, count));

let whole: Buffer;
before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-test-'));
  const writer = await openPageLogWriter(folder);
  for (const [index, url] of URLS.entries()) {
    await writer.append(pageOf(url, 'word '.repeat(index * 5)));
    if (index % 2 === 1) await writer.sync();
  }
  await writer.close();
  whole = await readFile(join(folder, '000001.pages'));
  await rm(folder, { recursive: true });
});

test('a bit flip is damage, or takes back the records of the last sync', async (context) => {
  const folder = await tempFolder(context);
  const path = join(folder, '000001.pages');
  const last = whole.length - 48;
  for (let bit = 0; bit < whole.length * 8; bit += 29) {
    const copy = Buffer.from(whole);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    await writeFile(path, copy);
    const read = await readUrls(folder);
    if (bit >> 3 < last) assert.equal(read, 'damage', `bit ${bit}`);
    else assert.deepEqual(read, PREFIXES[2], `bit ${bit}`);
  }
});

test('a log that was cut anywhere gives the records up to a sync, or says that its header is gone', async (context) => {
  const folder = await tempFolder(context);
  const path = join(folder, '000001.pages');
  for (let size = 0; size < whole.length; size += 3) {
    await writeFile(path, whole.subarray(0, size));
    const read = await readUrls(folder);
    assert.ok(
      PREFIXES.some((prefix) => JSON.stringify(prefix) === JSON.stringify(read)),
      `${size} bytes: ${JSON.stringify(read)}`,
    );
  }
});

test('any bytes behind the last sync are passed over', async (context) => {
  const folder = await tempFolder(context);
  const path = join(folder, '000001.pages');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (tail) => {
      await writeFile(path, Buffer.concat([whole, tail]));
      assert.deepEqual(await readUrls(folder), URLS);
    }),
    { numRuns: 50 },
  );
});

test('payloads with a right checksum and any content are records or damage', async (context) => {
  const folder = await tempFolder(context);
  const path = join(folder, '000001.pages');
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom(Compression.None, Compression.Brotli),
      fc.nat({ max: 100 }),
      async (payload, compression, rawBytes) => {
        const frame = encodeFrame(FrameKind.Record, compression, payload, rawBytes);
        const mark = encodeMark({ file: 1, offsetBytes: 32 + frame.length, recordCount: 1 });
        await writeFile(path, Buffer.concat([encodeHeader(PAGE_LOG_FORMAT), frame, mark]));
        assert.equal(await readUrls(folder), 'damage');
      },
    ),
    { numRuns: 100 },
  );
});
