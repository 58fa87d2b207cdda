import { failShards } from '../errors.ts';
import {
  FILES_ADDRESS,
  HEADER_ADDRESS,
  HEADER_BEST_IMPACTS,
  HEADER_BLOCK_BOUNDS,
  HEADER_BLOCK_COUNT,
  HEADER_BLOCK_HEADS,
  HEADER_DOC_COUNT,
  HEADER_DOCS,
  HEADER_DOCS_OFFSETS,
  HEADER_GROUP_BOUNDS,
  HEADER_HASH_SLOTS,
  HEADER_KEYS,
  HEADER_LAST_DOCS,
  HEADER_LENGTH_CODES,
  HEADER_POSITIONS,
  HEADER_POSITIONS_OFFSETS,
  HEADER_SHAPES,
  HEADER_STATIC_BOUNDS,
  HEADER_STATIC_SCORES,
  HEADER_TERM_BLOCKS,
  HEADER_TERM_COUNT,
  HEADER_TERM_HASH,
  HEADER_TERMS,
  HEADER_WORDS,
  PAGE_BYTES,
} from '../kernels/search-layout.ts';
import { GROUPS_PER_BLOCK } from '../postings/bounds.ts';
import { FIELD_COUNT } from '../postings/field-slots.ts';
import { writeBlockHeads } from './block-heads.ts';
import { BOUNDS_FORMAT, INDEX_FORMAT, POSITIONS_FORMAT } from './formats.ts';
import { KEYS_PER_BLOCK } from './front-coding.ts';
import { type SegmentEntry, segmentFile } from './manifest.ts';
import { type LoadedFiles, LoadedSections, loadSectionFile } from './section-file.ts';
import { SECTION_ALIGNMENT } from './section-file-writer.ts';
import type { SegmentMeta } from './segment-meta.ts';

/** Pages that a WebAssembly memory may have: 4 GiB. */
const MAX_PAGES = 65_536;
/**
 * Most bytes that index, positions and bounds of one segment may have together: what remains of 4 GiB is for the
 * threads that search. Writers end a segment before.
 */
export const MAX_SEGMENT_BYTES = 3 * 2 ** 30;

/** Documents that one static bound covers, as a power of two. */
export const STATIC_BOUND_BITS = 10;

/** What a sum of words' contributions leaves of 32 bits (values/document.ts). */
const MAX_STATIC_SCORE = 2 ** 31 - 1;

const aligned = (address: number): number => Math.ceil(address / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;

/** Where each file begins, from the lengths that the manifest gives. */
const placesOf = (entry: SegmentEntry) => {
  const positions = aligned(FILES_ADDRESS + entry.index.bytes);
  const bounds = aligned(positions + entry.positions.bytes);
  const statics = aligned(bounds + (entry.bounds?.bytes ?? 0));
  const staticsBytes = ((entry.docCount >>> STATIC_BOUND_BITS) + 1) * Uint32Array.BYTES_PER_ELEMENT;
  return { index: FILES_ADDRESS, positions, bounds, statics, end: statics + staticsBytes };
};

/** Memory with room for the segment's files. Throws SHARDS_SEGMENT_TOO_LARGE, SHARDS_NO_MEMORY. */
const allocate = (folder: string, entry: SegmentEntry): WebAssembly.Memory => {
  const { end } = placesOf(entry);
  if (end > FILES_ADDRESS + MAX_SEGMENT_BYTES) {
    const file = segmentFile(folder, entry.id, 'idx');
    throw failShards('SHARDS_SEGMENT_TOO_LARGE', { file, bytes: end, maxBytes: MAX_SEGMENT_BYTES });
  }
  const initial = Math.ceil(end / PAGE_BYTES);
  try {
    return new WebAssembly.Memory({ initial, maximum: MAX_PAGES, shared: true });
  } catch (error) {
    throw failShards('SHARDS_NO_MEMORY', { folder, bytes: end }, error);
  }
};

/** Views of files that lie in the memory already. */
export const filesInMemory = (
  memory: WebAssembly.Memory,
  folder: string,
  entry: SegmentEntry,
): LoadedFiles => {
  const places = placesOf(entry);
  const sections = (format: typeof INDEX_FORMAT, part: 'idx' | 'pos' | 'bounds', place: [number, number]) =>
    new LoadedSections(new Uint8Array(memory.buffer, ...place), {
      format,
      file: segmentFile(folder, entry.id, part),
    });
  return {
    index: sections(INDEX_FORMAT, 'idx', [places.index, entry.index.bytes]),
    positions: sections(POSITIONS_FORMAT, 'pos', [places.positions, entry.positions.bytes]),
    bounds: entry.bounds && sections(BOUNDS_FORMAT, 'bounds', [places.bounds, entry.bounds.bytes]),
  };
};

/** Reads the segment's files into one new memory and verifies them. */
export const loadFiles = (
  folder: string,
  entry: SegmentEntry,
): { readonly memory: WebAssembly.Memory; readonly files: LoadedFiles } => {
  const memory = allocate(folder, entry);
  const places = placesOf(entry);
  const load = (format: typeof INDEX_FORMAT, part: 'idx' | 'pos' | 'bounds', at: number) => {
    const seal = { idx: entry.index, pos: entry.positions, bounds: entry.bounds }[part];
    if (seal === undefined) return undefined;
    const target = new Uint8Array(memory.buffer, at, seal.bytes) as Uint8Array<SharedArrayBuffer>;
    return loadSectionFile({ file: segmentFile(folder, entry.id, part), format, seal }, target);
  };
  const index = load(INDEX_FORMAT, 'idx', places.index) as LoadedSections;
  const positions = load(POSITIONS_FORMAT, 'pos', places.positions) as LoadedSections;
  const bounds = load(BOUNDS_FORMAT, 'bounds', places.bounds);
  return { memory, files: { index, positions, bounds } };
};

/** Fills the static bounds and gives the largest static score. */
const fillStaticBounds = (scores: Uint32Array, bounds: Uint32Array): number => {
  let largest = 0;
  for (let doc = 0; doc < scores.length; doc += 1) {
    const score = scores[doc]!;
    if (score === 0) continue;
    const window = doc >>> STATIC_BOUND_BITS;
    if (score > bounds[window]!) bounds[window] = score;
    if (score > largest) largest = score;
  }
  return largest;
};

/** A search for a term ends at an empty slot: there is one. */
const hashSlotsOf = (index: LoadedSections): Uint32Array => {
  const slots = index.u32('termHash');
  if (!slots.includes(0)) throw index.damage('a hash index without an empty slot', 'one');
  return slots;
};

/** Bytes that sections of the index have whatever their content. */
const fixedLengths = ({ docCount, termCount, blockCount }: SegmentMeta) => ({
  termBlocks: Math.ceil(termCount / KEYS_PER_BLOCK) * 4,
  lastDocs: blockCount * 4,
  docsOffsets: blockCount * 4,
  positionsOffsets: blockCount * 4,
  shapes: blockCount * 2,
  lengthCodes: docCount * FIELD_COUNT,
  staticScores: docCount * 4,
  keys: docCount * 8,
});

/** Throws the damage error when the index is of another number of documents, or a section has a wrong length. */
export const checkIndex = (index: LoadedSections, entry: SegmentEntry, meta: SegmentMeta): void => {
  const { docCount } = meta;
  if (docCount !== entry.docCount) throw index.damage(`${docCount} documents`, `${entry.docCount}`);
  for (const [name, lengthBytes] of Object.entries(fixedLengths(meta))) index.address(name, lengthBytes);
};

/**
 * Writes the header by which kernels find everything, and the heads of blocks. Throws the damage error when a section has a wrong
 * length, and SHARDS_NO_MEMORY.
 */
export const writeHeader = (
  memory: WebAssembly.Memory,
  entry: SegmentEntry,
  files: LoadedFiles,
  meta: SegmentMeta,
): void => {
  const { index, positions, bounds } = files;
  const { docCount, termCount, blockCount } = meta;
  const { statics } = placesOf(entry);
  checkIndex(index, entry, meta);
  const header = new Uint32Array(memory.buffer, HEADER_ADDRESS, HEADER_WORDS);
  header[HEADER_DOC_COUNT] = docCount;
  header[HEADER_TERM_COUNT] = termCount;
  header[HEADER_BLOCK_COUNT] = blockCount;
  header[HEADER_TERMS] = index.address('terms');
  header[HEADER_TERM_BLOCKS] = index.address('termBlocks');
  header[HEADER_TERM_HASH] = index.address('termHash');
  header[HEADER_HASH_SLOTS] = hashSlotsOf(index).length;
  header[HEADER_DOCS] = index.address('docs');
  header[HEADER_LAST_DOCS] = index.address('lastDocs');
  header[HEADER_DOCS_OFFSETS] = index.address('docsOffsets');
  header[HEADER_POSITIONS_OFFSETS] = index.address('positionsOffsets');
  header[HEADER_SHAPES] = index.address('shapes');
  header[HEADER_LENGTH_CODES] = index.address('lengthCodes');
  header[HEADER_STATIC_SCORES] = index.address('staticScores');
  header[HEADER_KEYS] = index.address('keys');
  header[HEADER_POSITIONS] = positions.address('positions');
  header[HEADER_BLOCK_BOUNDS] = bounds?.address('blocks', blockCount) ?? 0;
  header[HEADER_GROUP_BOUNDS] = bounds?.address('groups', blockCount * GROUPS_PER_BLOCK) ?? 0;
  header[HEADER_BEST_IMPACTS] = bounds?.address('best', blockCount) ?? 0;
  const windows = new Uint32Array(memory.buffer, statics, (docCount >>> STATIC_BOUND_BITS) + 1);
  const largest = fillStaticBounds(index.u32('staticScores'), windows);
  if (largest > MAX_STATIC_SCORE)
    throw index.damage(`static score ${largest}`, `at most ${MAX_STATIC_SCORE}`);
  header[HEADER_STATIC_BOUNDS] = largest > 0 ? statics : 0;
  header[HEADER_BLOCK_HEADS] = writeBlockHeads(memory, files, blockCount);
};
