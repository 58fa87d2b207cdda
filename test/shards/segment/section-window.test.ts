import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { POSITIONS_FORMAT } from '../../../shards/segment/formats.ts';
import { SectionFile } from '../../../shards/segment/section-file.ts';
import { writeSectionFile } from '../../../shards/segment/section-file-writer.ts';
import { SectionWindow } from '../../../shards/segment/section-window.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const LENGTH = 3_000_001;
const content = Uint8Array.from({ length: LENGTH }, (_, at) => (at * 2_654_435_761) >>> 24);

test('a window gives the bytes of the section wherever it is moved to, and no others', async (context) => {
  const file = join(await tempFolder(context), 'file');
  const seal = await writeSectionFile(file, POSITIONS_FORMAT, { before: content.subarray(0, 100), content });
  const section = SectionFile.open(file, POSITIONS_FORMAT, seal);
  context.after(() => section.close());
  section.verify('content');
  const window = new SectionWindow(section, 'content');
  const reaches = fc.array(
    fc.record({
      offset: fc.oneof(fc.nat(LENGTH - 1), fc.integer({ min: LENGTH - 20, max: LENGTH - 1 })),
      length: fc.oneof(fc.nat(300), fc.nat(2_500_000)),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(reaches, fc.boolean(), (list, isRising) => {
      const inOrder = isRising ? list.toSorted((a, b) => a.offset - b.offset) : list;
      for (const { offset, length } of inOrder) {
        const at = window.reach(offset, length);
        const expected = content.subarray(offset, offset + length);
        assert.equal(Buffer.compare(window.bytes.subarray(at, at + expected.length), expected), 0);
      }
    }),
    { numRuns: 60 },
  );
  assert.throws(() => window.reach(LENGTH + 1, 1), { code: 'SHARDS_FILE_CORRUPT' });
});
