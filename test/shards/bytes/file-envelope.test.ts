import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32c } from '@node-rs/crc32';
import {
  checkHeader,
  encodeHeader,
  type FileFormat,
  FOOTER_BYTES,
  HEADER_BYTES,
  openSealed,
  sealFile,
  verifySealedFile,
} from '../../../shards/index.ts';
import { workedExample } from '../../helpers/format-example.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const FORMAT: FileFormat = {
  name: 'sample',
  version: 3,
  oldestVersion: 2,
  remedy: 'run `quarry index --rebuild`',
};

const seal = (version: number, ...body: Uint8Array[]): Uint8Array =>
  Buffer.concat(sealFile({ ...FORMAT, version }, body));

test('crc32c is the Castagnoli checksum of RFC 3720, B.4', () => {
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
});

test('the worked example of FORMAT.md', () => {
  const example = workedExample('shards/bytes/FORMAT.md');
  assert.deepEqual(Buffer.from(seal(3, Uint8Array.of(1, 2), Uint8Array.of(3))), Buffer.from(example));
  const { version, body } = openSealed(example, FORMAT, 'example');
  assert.equal(version, 3);
  assert.deepEqual([...body], [1, 2, 3]);
});

test('an older readable version is told, too old and too new are errors of their own', () => {
  assert.equal(openSealed(seal(2), FORMAT, 'f').version, 2);
  assert.throws(() => openSealed(seal(1), FORMAT, 'dir/f'), {
    code: 'SHARDS_FILE_TOO_OLD',
    message:
      'dir/f was written by an older Quarry: found version 1 of format sample, expected 2 or newer; run `quarry index --rebuild`',
  });
  assert.throws(() => openSealed(seal(4), FORMAT, 'dir/f'), {
    code: 'SHARDS_FILE_TOO_NEW',
    message:
      'dir/f was written by a newer Quarry: found version 4 of format sample, expected 3 or older; install the newer Quarry, or point --data at another folder',
  });
});

test('every bit flip and every truncation is damage', async (context) => {
  const path = join(await tempFolder(context), 'file');
  const whole = seal(3, Buffer.from('some body'));
  const damaged: Uint8Array[] = [];
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const copy = Uint8Array.from(whole);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    damaged.push(copy);
  }
  for (let size = 0; size < whole.length; size += 1) damaged.push(whole.subarray(0, size));
  damaged.push(Buffer.concat([whole, Buffer.alloc(1)]));
  for (const [index, bytes] of damaged.entries()) {
    assert.throws(() => openSealed(bytes, FORMAT, 'f'), { code: 'SHARDS_FILE_CORRUPT' }, `case ${index}`);
    if (index % 7 !== 0) continue;
    await writeFile(path, bytes);
    await assert.rejects(verifySealedFile(path, FORMAT), { code: 'SHARDS_FILE_CORRUPT' });
  }
});

test('a file of another format is damage that names both', () => {
  const other = encodeHeader({ ...FORMAT, name: 'other' });
  assert.throws(
    () => checkHeader(other, FORMAT, 'f'),
    /found a file of format "other", expected format "sample"/,
  );
});

test('verifySealedFile checks a file larger than its block', async (context) => {
  const path = join(await tempFolder(context), 'file');
  const body = Buffer.alloc(2_500_000, 'quarry');
  await writeFile(path, seal(3, body));
  assert.deepEqual(await verifySealedFile(path, FORMAT), { version: 3, bodyBytes: body.length });
  const bytes = Buffer.from(seal(3, body));
  assert.equal(bytes.length, body.length + HEADER_BYTES + FOOTER_BYTES);
  bytes[2_000_000] = (bytes[2_000_000] ?? 0) ^ 1;
  await writeFile(path, bytes);
  await assert.rejects(verifySealedFile(path, FORMAT), /checksum/);
});
