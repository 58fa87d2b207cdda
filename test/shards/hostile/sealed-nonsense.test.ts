/**
 * Files whose checksums are right and whose content is nonsense: what a broken writer, or somebody with time, could make.
 * Each is refused with the damage error or answered inside its bounds; nothing else is thrown, nothing runs for ever.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { crc32c } from '@node-rs/crc32';
import fc from 'fast-check';
import { createScorer } from '../../../shards/score/bm25f.ts';
import { DEFAULT_WEIGHTS } from '../../../shards/score/weights.ts';
import { evaluate } from '../../../shards/search/evaluate.ts';
import type { QueryPlan, TermGroup } from '../../../shards/search/query-plan.ts';
import {
  BOUNDS_FORMAT,
  INDEX_FORMAT,
  PAGES_FORMAT,
  POSITIONS_FORMAT,
} from '../../../shards/segment/formats.ts';
import { type SegmentEntry, segmentFile } from '../../../shards/segment/manifest.ts';
import { LoadedSections } from '../../../shards/segment/section-file.ts';
import { writeSectionFile } from '../../../shards/segment/section-file-writer.ts';
import { type OpenSegment, openSegment } from '../../../shards/segment/segment-reader.ts';
import { SegmentWriter } from '../../../shards/segment/segment-writer.ts';
import { QuarryError } from '../../../shards/values/errors.ts';
import { FIELD_NAMES, type FieldName } from '../../../shards/values/fields.ts';
import { epochNumber } from '../../../shards/values/ids.ts';
import { indexDocument } from '../../helpers/index-documents.ts';

const PARTS = {
  idx: { format: INDEX_FORMAT, seal: 'index' },
  pos: { format: POSITIONS_FORMAT, seal: 'positions' },
  bounds: { format: BOUNDS_FORMAT, seal: 'bounds' },
  pages: { format: PAGES_FORMAT, seal: 'pages' },
} as const;
type Part = keyof typeof PARTS;

const DOCUMENTS = 400;

let folder: string;
let entry: SegmentEntry;
/** Sections of each file, unharmed. */
const sound = new Map<Part, ReadonlyMap<string, Uint8Array>>();

const sectionsOf = (part: Part): ReadonlyMap<string, Uint8Array> => {
  const file = segmentFile(folder, entry.id, part);
  const loaded = new LoadedSections(Uint8Array.from(readFileSync(file)), {
    format: PARTS[part].format,
    file,
  });
  return new Map(Array.from(loaded.names(), (name) => [name, loaded.bytes(name)]));
};

/** Lists of all kinds: full blocks with and without other fields, tails, one document; frequencies and gaps of many widths. */
const write = async (): Promise<SegmentEntry> => {
  const writer = await SegmentWriter.create({ folder, id: 1, analyser: 'default', weights: DEFAULT_WEIGHTS });
  for (let i = 0; i < DOCUMENTS; i += 1) {
    const words = ['stone', i % 2 === 0 ? 'basalt' : 'granite', i % 7 === 0 ? 'lava lava flow' : 'sand'];
    const body = Array.from({ length: 1 + (i % 13) }, () => words.join(' ')).join(' ');
    await writer.add(
      indexDocument(`http://${i % 3 === 0 ? 'a' : 'b'}.test/${i}`, {
        title: `Stone ${i}`,
        storedText: body,
        fields: [
          { field: 'title', text: i % 5 === 0 ? 'stone basalt' : 'sand' },
          { field: 'body', text: `${body} only${i}` },
        ],
        staticScore: i % 11,
      }),
    );
  }
  return writer.finish();
};

const scorer = createScorer({
  averageLengths: Object.fromEntries(FIELD_NAMES.map((field) => [field, 12])) as Record<FieldName, number>,
});

const group = (term: string): TermGroup => ({ terms: [term], weight: 3000 });
const NOTHING = {
  epoch: epochNumber(1),
  optional: [],
  required: [],
  phrases: [],
  excluded: [],
  excludedPhrases: [],
  sites: [],
  excludedSites: [],
};
const phrase = (terms: readonly string[]) => ({
  words: terms.map((term, offset) => ({ group: group(term), offset })),
});

const PLANS: readonly QueryPlan[] = [
  { ...NOTHING, optional: [group('stone')] },
  { ...NOTHING, optional: ['stone', 'basalt', 'lava', 'only7'].map(group) },
  { ...NOTHING, optional: [{ terms: ['sand', 'flow'], weight: 2000 }, group('granit')] },
  { ...NOTHING, required: ['stone', 'basalt', 'lava'].map(group) },
  { ...NOTHING, required: [group('stone')], excluded: [group('sand')] },
  { ...NOTHING, phrases: [phrase(['lava', 'flow']), phrase(['stone', 'basalt'])] },
  { ...NOTHING, sites: [{ host: 'a.test', pathPrefix: '/1' }], optional: [group('sand')] },
];

/** No case may take long; the answer then is what was found so far. */
const LIMIT_MS = 2000;

const askAll = (segment: OpenSegment): void => {
  const startedMs = performance.now();
  for (const plan of PLANS) {
    for (const evaluation of ['pruned', 'exhaustive'] as const) {
      const { hits } = evaluate({
        segments: [segment],
        plan,
        scorer,
        k: 10,
        evaluation,
        isLate: () => performance.now() - startedMs > LIMIT_MS,
      });
      for (const { doc, score } of hits) {
        assert.ok(Number.isInteger(doc) && doc >= 0 && doc < segment.docCount, `document ${doc}`);
        assert.ok(Number.isInteger(score) && score >= 0 && score < 2 ** 32, `score ${score}`);
        segment.stored(doc);
      }
    }
  }
  for (const { docCount } of segment.terms()) assert.ok(docCount >= 0);
  segment.languageCounts();
};

const isDamage = (error: unknown): true => {
  assert.ok(error instanceof QuarryError, error instanceof Error ? error.stack : String(error));
  assert.match(error.code, /^SHARDS_(FILE_CORRUPT|READ_OVERRUN)$/, error.message);
  return true;
};

/** Opens and asks; the damage error, or another one of ours that says what to do, is as good as an answer. */
const survive = (harmed: SegmentEntry): void => {
  let segment: OpenSegment | undefined;
  try {
    segment = openSegment(folder, harmed);
    askAll(segment);
  } catch (error) {
    isDamage(error);
  } finally {
    segment?.close();
  }
};

/** Thousands were tried when this was written; each file's share of a test run. */
const CASES = Number(process.env['HOSTILE_CASES'] ?? 150);

/** One change of a section's bytes. */
const wildWord = fc.oneof(
  fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff),
  fc.nat(0xffffffff),
);
const change = fc.oneof(
  fc.record({
    kind: fc.constant('word' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    value: wildWord,
  }),
  fc.record({
    kind: fc.constant('byte' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.nat(255),
  }),
  fc.record({
    kind: fc.constant('length' as const),
    at: fc.double({ min: 0, max: 2, noNaN: true }),
    value: fc.nat(255),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const applied = (bytes: Uint8Array, { kind, at, value }: Change): Uint8Array => {
  if (kind === 'length') {
    const resized = new Uint8Array(Math.floor(bytes.length * at)).fill(value);
    resized.set(bytes.subarray(0, resized.length));
    return resized;
  }
  const copy = Uint8Array.from(bytes);
  const index = Math.floor(at * copy.length);
  if (kind === 'byte' || index + 4 > copy.length) copy.fill(value, index, index + 1);
  else new DataView(copy.buffer).setUint32(index - (index % 4), value, true);
  return copy;
};

const harm = async (part: Part, name: string, changes: readonly Change[]): Promise<SegmentEntry> => {
  const { format, seal } = PARTS[part];
  const sections = Object.fromEntries(sound.get(part) ?? []);
  const before = sections[name] ?? new Uint8Array(0);
  const bytes = changes.reduce(applied, before);
  const written = await writeSectionFile(segmentFile(folder, entry.id, part), format, {
    ...sections,
    [name]: bytes,
  });
  return { ...entry, [seal]: written };
};

const mend = async (part: Part): Promise<void> => {
  await writeSectionFile(
    segmentFile(folder, entry.id, part),
    PARTS[part].format,
    Object.fromEntries(sound.get(part) ?? []),
  );
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-hostile-'));
  entry = await write();
  for (const part of Object.keys(PARTS) as Part[]) sound.set(part, sectionsOf(part));
});
after(() => rmSync(folder, { recursive: true }));

test('the unharmed segment answers all that is asked below', () => {
  const segment = openSegment(folder, entry);
  askAll(segment);
  segment.close();
});

test('stored text that does not unpack is damage', async () => {
  const sections = sound.get('pages');
  const blocks = Uint8Array.from(sections?.get('blocks') ?? []);
  const firstEnd = new DataView(Uint8Array.from(sections?.get('blockOffsets') ?? []).buffer).getFloat64(
    8,
    true,
  );
  // The first block's deflate becomes noise, its length in clear text another one; its checksum is made right again.
  for (const noise of [0xff, 0x00]) {
    const harmed = Uint8Array.from(blocks);
    const block = Buffer.from(harmed.buffer, 0, firstEnd);
    block.fill(noise, 8);
    block.writeUInt32LE(crc32c(block.subarray(4)), 0);
    const pages = await writeSectionFile(segmentFile(folder, entry.id, 'pages'), PAGES_FORMAT, {
      ...Object.fromEntries(sections ?? []),
      blocks: harmed,
    });
    const segment = openSegment(folder, { ...entry, pages });
    assert.throws(() => {
      for (let doc = 0; doc < segment.docCount; doc += 1) segment.stored(doc);
    }, isDamage);
    segment.close();
  }
  await mend('pages');
});

for (const part of Object.keys(PARTS) as Part[]) {
  test(`a ${part} file of nonsense under right checksums does no harm`, async () => {
    const names = [...(sound.get(part)?.keys() ?? [])];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (name, changes) => survive(await harm(part, name, changes)),
      ),
      { numRuns: CASES },
    );
    await mend(part);
  });
}
