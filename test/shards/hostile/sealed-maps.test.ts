/** Small files of nonsense under right checksums: CURRENT, manifests, deletes, aliases, epochs, contributions of shards. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { ALIASES_FORMAT, decodeAliases } from '../../../shards/aliases/aliases-file.ts';
import { type FileFormat, sealFile } from '../../../shards/bytes/file-envelope.ts';
import { RoaringBitmap32 } from '../../../shards/segment/bitmap.ts';
import { CURRENT_FILE, currentGeneration } from '../../../shards/segment/current.ts';
import { readDeletes, writeDeletes } from '../../../shards/segment/deletes.ts';
import { CURRENT_FORMAT, DELETES_FORMAT, MANIFEST_FORMAT } from '../../../shards/segment/formats.ts';
import {
  deletesFile,
  manifestFile,
  readManifest,
  type SegmentEntry,
} from '../../../shards/segment/manifest.ts';
import { CONTRIBUTION_FORMAT, decodeContribution } from '../../../shards/statistics/contribution-file.ts';
import { decodeEpoch, EPOCH_FORMAT } from '../../../shards/statistics/epoch-file.ts';
import { QuarryError } from '../../../shards/values/errors.ts';

const packr = new Packr({ useRecords: false });
const seal = { bytes: 100, crc: 7 };
const ENTRY: SegmentEntry = { id: 1, docCount: 90, index: seal, positions: seal, pages: seal };
const MANIFEST = { analyser: 'default', nextSegmentId: 2, segments: [ENTRY] };
const CURRENT = {
  generation: 1,
  commit: 1,
  committedAtMs: 5,
  shardCount: 2,
  slots: Array.from({ length: 1024 }, (_, slot) => slot % 2),
  analyser: 'default',
  docCount: 9,
  manifests: [1, 1],
  attachments: {},
};

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-maps-'));
});
after(() => rmSync(folder, { recursive: true }));

const sealed = (format: FileFormat, body: Uint8Array): Buffer => Buffer.concat(sealFile(format, [body]));

const isDamage = (error: unknown): true => {
  assert.ok(error instanceof QuarryError, error instanceof Error ? error.stack : String(error));
  assert.match(error.code, /^SHARDS_(FILE_CORRUPT|READ_OVERRUN)$/, error.message);
  return true;
};

const value = fc.oneof(
  fc.constantFrom(null, true, '', -1, 0.5, 2 ** 33, 'x', [], {}),
  fc.array(fc.constantFrom(-1, 1025, 'a', null), { maxLength: 4 }),
);

/** One key of a sound map left out or with a value that does not belong there. */
const spoiled = (sound: object): fc.Arbitrary<object> =>
  fc
    .record({ key: fc.constantFrom(...Object.keys(sound)), value: fc.option(value) })
    .map(({ key, value: wrong }) => {
      const copy: Record<string, unknown> = { ...sound, [key]: wrong };
      if (wrong === null) delete copy[key];
      return copy;
    });

test('a manifest is what it has to be, or damage', async () => {
  const file = manifestFile(folder, 1);
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.anything({ withBigInt: false }).map((any) => packr.pack(any)),
    spoiled(MANIFEST).map((map) => packr.pack(map)),
    spoiled(ENTRY).map((entry) => packr.pack({ ...MANIFEST, segments: [entry] })),
  );
  writeFileSync(file, sealed(MANIFEST_FORMAT, packr.pack(MANIFEST)));
  assert.deepEqual(await readManifest(folder, 1), MANIFEST);
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      writeFileSync(file, sealed(MANIFEST_FORMAT, body));
      try {
        const { segments, nextSegmentId, analyser } = await readManifest(folder, 1);
        // A value that happens to fit, such as another count, is not nonsense.
        assert.ok(Number.isInteger(nextSegmentId) && typeof analyser === 'string');
        for (const { id, index } of segments) assert.ok(Number.isInteger(id) && index.bytes >= 0);
      } catch (error) {
        isDamage(error);
      }
    }),
    { numRuns: 400 },
  );
});

test('CURRENT is what it has to be, or damage', async () => {
  const file = join(folder, CURRENT_FILE);
  writeFileSync(file, sealed(CURRENT_FORMAT, packr.pack(CURRENT)));
  const read = await currentGeneration(folder);
  assert.deepEqual(read && { ...read, slots: Array.from(read.slots) }, CURRENT);
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    spoiled(CURRENT).map((map) => packr.pack(map)),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      writeFileSync(file, sealed(CURRENT_FORMAT, body));
      try {
        const info = await currentGeneration(folder);
        assert.ok(info !== undefined && info.manifests.length === info.shardCount);
        assert.equal(info.slots.length, 1024);
        assert.ok(info.slots.every((shard) => shard < info.shardCount));
      } catch (error) {
        isDamage(error);
      }
    }),
    { numRuns: 400 },
  );
});

test('deletes are a bitmap of documents of the segment, or damage', async () => {
  const entry = await writeDeletes(folder, ENTRY, 1, new RoaringBitmap32([3, 50]));
  assert.deepEqual(readDeletes(folder, entry)?.toArray(), [3, 50]);
  const beyond = await writeDeletes(folder, ENTRY, 2, new RoaringBitmap32([3, 90]));
  assert.throws(() => readDeletes(folder, beyond), isDamage);
  const sound = new RoaringBitmap32([3, 50]).serialize('portable');
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.record({ at: fc.nat(sound.length - 1), byte: fc.nat(255) }).map(({ at, byte }) => {
      const copy = Uint8Array.from(sound);
      copy[at] = byte;
      return copy;
    }),
    fc.nat(sound.length - 1).map((length) => Uint8Array.from(sound.subarray(0, length))),
  );
  fc.assert(
    fc.property(bodies, (body) => {
      const bytes = sealed(DELETES_FORMAT, body);
      writeFileSync(deletesFile(folder, ENTRY.id, 3), bytes);
      const crc = bytes.readUInt32LE(bytes.length - 8);
      const deletes = { bytes: bytes.length, crc, generation: 3, count: 2 };
      try {
        const found = readDeletes(folder, { ...ENTRY, deletes })?.toArray() ?? [];
        assert.ok(found.length === 2 && found.every((doc) => doc < ENTRY.docCount));
      } catch (error) {
        isDamage(error);
      }
    }),
    { numRuns: 1000 },
  );
});

const DECODERS = {
  aliases: { format: ALIASES_FORMAT, decode: (bytes: Uint8Array) => decodeAliases(bytes, 'aliases') },
  epoch: { format: EPOCH_FORMAT, decode: (bytes: Uint8Array) => decodeEpoch(bytes, 'epoch') },
  contribution: {
    format: CONTRIBUTION_FORMAT,
    decode: (bytes: Uint8Array) => decodeContribution(bytes, 'contribution'),
  },
} as const;

for (const [name, { format, decode }] of Object.entries(DECODERS)) {
  test(`a file of ${name} that holds noise is damage, soon`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        try {
          decode(sealed(format, body));
        } catch (error) {
          isDamage(error);
        }
      }),
      { numRuns: 1000 },
    );
  });
}
