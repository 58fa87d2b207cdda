import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { verifySealedFile } from '../../../shards/bytes/file-envelope.ts';
import { POSITIONS_FORMAT } from '../../../shards/segment/formats.ts';
import { loadSectionFile, SectionFile } from '../../../shards/segment/section-file.ts';
import { SectionFileWriter, writeSectionFile } from '../../../shards/segment/section-file-writer.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

test('sections come back aligned, read whole or in part', async (context) => {
  const path = join(await tempFolder(context), 'sections');
  const content = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string({ maxLength: 12 }), content, { maxKeys: 6 }),
      async (sections) => {
        const seal = await writeSectionFile(path, POSITIONS_FORMAT, sections);
        await verifySealedFile(path, POSITIONS_FORMAT);
        const loaded = loadSectionFile({ file: path, format: POSITIONS_FORMAT, seal });
        const file = SectionFile.open(path, POSITIONS_FORMAT, seal);
        for (const [name, bytes] of Object.entries(sections)) {
          assert.deepEqual(Buffer.from(loaded.bytes(name)), Buffer.from(bytes));
          assert.equal(loaded.section(name).offset % 64, 0);
          assert.deepEqual(Buffer.from(file.read(name)), Buffer.from(bytes));
          const half = bytes.length >>> 1;
          assert.deepEqual(file.readAt(name, half, bytes.length - half), Buffer.from(bytes.subarray(half)));
          assert.throws(() => file.readAt(name, 1, bytes.length), { code: 'SHARDS_FILE_CORRUPT' });
        }
        assert.throws(() => loaded.bytes('no such section'), { code: 'SHARDS_FILE_CORRUPT' });
        file.close();
        file.close();
      },
    ),
    { numRuns: 40 },
  );
});

test('a section may be larger than the write buffer and come in parts', async (context) => {
  const path = join(await tempFolder(context), 'large');
  const writer = await SectionFileWriter.create(path, POSITIONS_FORMAT);
  await writer.startSection('large');
  const part = Buffer.alloc(100_000, 'quarry');
  for (let i = 0; i < 7; i += 1) await writer.write(part);
  await writer.write(Buffer.alloc(500_000, 'stone'));
  writer.endSection();
  const seal = await writer.finish();
  const loaded = loadSectionFile({ file: path, format: POSITIONS_FORMAT, seal });
  const expected = Buffer.concat([...Array.from({ length: 7 }, () => part), Buffer.alloc(500_000, 'stone')]);
  assert.ok(Buffer.from(loaded.bytes('large')).equals(expected));
});

test('a full disk is said so', { skip: !existsSync('/dev/full') && 'needs /dev/full' }, async () => {
  const sections = { large: new Uint8Array(1 << 20) };
  await assert.rejects(writeSectionFile('/dev/full', POSITIONS_FORMAT, sections), {
    code: 'SHARDS_DISK_FULL',
  });
  await assert.rejects(writeSectionFile('/dev/full', POSITIONS_FORMAT, { small: new Uint8Array(3) }), {
    code: 'SHARDS_DISK_FULL',
  });
});
