import assert from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crc32c } from '@node-rs/crc32';
import fc from 'fast-check';
import { slotMapOf } from '../../../shards/partition/partitioner.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import {
  CURRENT_FILE,
  currentGeneration,
  shardFolder,
  writeCurrent,
} from '../../../shards/segment/current.ts';
import { writeDeletes } from '../../../shards/segment/deletes.ts';
import { CURRENT_FORMAT } from '../../../shards/segment/formats.ts';
import {
  deletesFile,
  manifestFile,
  readManifest,
  type SegmentEntry,
  segmentFile,
  writeManifest,
} from '../../../shards/segment/manifest.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import { verifySegment } from '../../../shards/segment/verify-segment.ts';
import { QuarryError } from '../../../shards/values/errors.ts';
import { indexDocument } from '../../helpers/index-documents.ts';

const PARTS = ['idx', 'pos', 'pages', 'bounds', 'del'] as const;
type Part = (typeof PARTS)[number];

let folder: string;
let first: SegmentEntry;
let second: SegmentEntry;

const write = async (id: number, word: string): Promise<SegmentEntry> => {
  const writer = await SegmentWriter.create({ folder, id, analyser: 'default', weights: DEFAULT_WEIGHTS });
  for (let i = 0; i < 200; i += 1) {
    await writer.add(
      indexDocument(`http://h/${i}`, {
        title: `Title ${i}`,
        storedText: `${word} ${i}`.repeat(100),
        fields: [
          { field: 'title', text: `title ${i}` },
          { field: 'body', text: `${word} ${word} some text ${i} end` },
        ],
      }),
    );
  }
  return writeDeletes(folder, await writer.finish(), 1, new RoaringBitmap32([3, 50, 51]));
};

const fileOf = (entry: SegmentEntry, part: Part): string =>
  part === 'del' ? deletesFile(folder, entry.id, 1) : segmentFile(folder, entry.id, part);

/** Opening must find the damage of all files but the stored pages, whose blocks are checked when they are read. */
const readAll = (entry: SegmentEntry): Promise<void> => verifySegment(folder, entry);

/** Changes a file for the time of `work`. */
const damaged = async (file: string, change: () => void, work: () => Promise<void>): Promise<void> => {
  const bytes = readFileSync(file);
  change();
  try {
    await work();
  } finally {
    writeFileSync(file, bytes);
  }
};

const code = (expected: string) => (error: unknown) => {
  assert.ok(error instanceof QuarryError, `no typed error: ${String(error)}`);
  assert.equal(error.code, expected, error.message);
  return true;
};

/** Writes another version into a header, with a right checksum. */
const setVersion = (file: string, version: number): void => {
  const bytes = readFileSync(file);
  bytes.writeUInt16LE(version, 6);
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, 24)), 24);
  writeFileSync(file, bytes);
};

describe('damage to segment files', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quarry-damage-'));
    first = await write(1, 'granite');
    second = await write(2, 'basalt');
    await readAll(first);
    await readAll(second);
  });

  after(() => rmSync(folder, { recursive: true }));

  test('a file cut anywhere is damaged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PARTS),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        async (part, at) => {
          const file = fileOf(first, part);
          const length = readFileSync(file).length;
          await damaged(
            file,
            () => truncateSync(file, Math.floor(at * length)),
            () => assert.rejects(readAll(first), code('SHARDS_FILE_CORRUPT')),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a flipped bit anywhere is damage', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PARTS),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.nat({ max: 7 }),
        async (part, at, bit) => {
          const file = fileOf(first, part);
          const bytes = readFileSync(file);
          const index = Math.floor(at * bytes.length);
          bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
          await damaged(
            file,
            () => writeFileSync(file, bytes),
            () => assert.rejects(readAll(first), code('SHARDS_FILE_CORRUPT')),
          );
        },
      ),
      { numRuns: 400 },
    );
  });

  test('bytes behind the end are damage', async () => {
    for (const part of PARTS) {
      const file = fileOf(first, part);
      await damaged(
        file,
        () => appendFileSync(file, 'x'),
        () => assert.rejects(readAll(first), code('SHARDS_FILE_CORRUPT')),
      );
    }
  });

  test('a whole file of another segment, or of another kind, is not taken', async () => {
    for (const part of PARTS) {
      const file = fileOf(first, part);
      const others = [
        fileOf(second, part),
        ...PARTS.filter((other) => other !== part).map((other) => fileOf(first, other)),
      ];
      for (const other of others) {
        if (readFileSync(other).equals(readFileSync(file))) continue;
        await damaged(
          file,
          () => copyFileSync(other, file),
          () => assert.rejects(readAll(first), code('SHARDS_FILE_CORRUPT')),
        );
      }
    }
  });

  test('versions are told apart from damage', async () => {
    for (const part of PARTS) {
      const file = fileOf(first, part);
      for (const [version, expected] of [
        [0, 'SHARDS_FILE_TOO_OLD'],
        [99, 'SHARDS_FILE_TOO_NEW'],
      ] as const) {
        await damaged(
          file,
          () => setVersion(file, version),
          () => assert.rejects(readAll(first), code(expected)),
        );
      }
    }
  });

  test('a damaged section is named', async () => {
    const file = fileOf(first, 'idx');
    const bytes = readFileSync(file);
    // The section meta, in front, has it too, for it is a common word.
    const at = bytes.lastIndexOf('granit');
    bytes[at] = 0x47;
    await damaged(
      file,
      () => writeFileSync(file, bytes),
      () => assert.rejects(readAll(first), /section terms that fails its checksum/),
    );
  });

  test('a missing file is missing, and no handle is left open', async () => {
    const entry = { ...first, id: 9 };
    await assert.rejects(readAll(entry), { code: 'ENOENT' });
  });
});

describe('damage to manifest and CURRENT', () => {
  const info = {
    generation: 3,
    commit: 5,
    committedAtMs: 1_700_000_000_000,
    shardCount: 2,
    slots: slotMapOf(2),
    analyser: 'default',
    docCount: 7,
    manifests: [4, 5],
    attachments: { aliases: 3 },
  };

  const flipEach = async (file: string, read: () => Promise<unknown>): Promise<void> => {
    const bytes = readFileSync(file);
    for (let index = 0; index < bytes.length; index += 1) {
      const flipped = Buffer.from(bytes);
      flipped[index] = (flipped[index] ?? 0) ^ 0x10;
      writeFileSync(file, flipped);
      await assert.rejects(read(), code('SHARDS_FILE_CORRUPT'));
      writeFileSync(file, bytes.subarray(0, index));
      await assert.rejects(read(), code('SHARDS_FILE_CORRUPT'));
    }
    writeFileSync(file, bytes);
    setVersion(file, CURRENT_FORMAT.version + 1);
    await assert.rejects(read(), code('SHARDS_FILE_TOO_NEW'));
    setVersion(file, 0);
    await assert.rejects(read(), code('SHARDS_FILE_TOO_OLD'));
  };

  test('a manifest comes back, or its damage shows', async (context) => {
    const own = mkdtempSync(join(tmpdir(), 'quarry-damage-'));
    context.after(() => rmSync(own, { recursive: true }));
    const seal = { bytes: 100, crc: 0xfedcba98 };
    const entry = {
      id: 1,
      docCount: 5,
      index: seal,
      positions: seal,
      pages: seal,
      deletes: { ...seal, generation: 2, count: 1 },
    };
    const manifest = { analyser: 'default', nextSegmentId: 2, segments: [entry] };
    await writeManifest(own, 4, manifest);
    assert.deepEqual(await readManifest(own, 4), manifest);
    await flipEach(manifestFile(own, 4), () => readManifest(own, 4));
  });

  test('CURRENT comes back, or its damage shows', async (context) => {
    const own = mkdtempSync(join(tmpdir(), 'quarry-damage-'));
    context.after(() => rmSync(own, { recursive: true }));
    assert.equal(await currentGeneration(own), undefined);
    await writeCurrent(own, info);
    assert.deepEqual(await currentGeneration(own), info);
    assert.match(shardFolder(own, 3, 1), /000003.01$/);
    await flipEach(join(own, CURRENT_FILE), () => currentGeneration(own));
  });
});
