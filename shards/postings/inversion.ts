import * as layout from '../kernels/inversion-layout.ts';
import type { ScorerTables } from '../score/scorer.ts';
import type { TermStream } from '../text/term-stream.ts';
import { type BoundSections, GROUPS_PER_BLOCK } from './bounds.ts';
import type { InversionMemory } from './inversion-memory.ts';
import { addBiwords } from './invert-biwords.ts';

/** A chunk of output is taken away when it has grown so long. */
const CHUNK_BYTES = 1 << 20;
const TERMS_PER_BLOCK = 16;
const WORD_BYTES = 4;

/** What encoding needs besides the tokens. */
export interface InversionInput {
  /** `order[i]` is the number of the added document that becomes document i. */
  readonly order: Uint32Array;
  /** End of each document's and field's run, in words of tokens. */
  readonly runEnds: Uint32Array;
  /** Six columns, documents in their final order. */
  readonly lengthCodes: Uint8Array;
  /** For the bounds. */
  readonly scorer: ScorerTables;
  /** Words that are common in the index to which the batch is added. */
  readonly commonWords: ReadonlySet<string>;
}

/** The next bytes of two sections. Views, valid until the next chunk. */
export interface EncodedChunk {
  readonly docs: Uint8Array;
  readonly positions: Uint8Array;
}

/** Sections of a segment that are complete only at the end. */
export interface EncodedLists {
  /** Words and biwords; these are the last. */
  readonly termCount: number;
  readonly biwordCount: number;
  /** Any two of them that stand side by side are a biword. */
  readonly commonWords: readonly string[];
  readonly dictionary: {
    readonly terms: Uint8Array;
    readonly termBlocks: Uint32Array;
    readonly termHash: Uint32Array;
  };
  /** Block records. */
  readonly lastDocs: Uint32Array;
  readonly docsOffsets: Uint32Array;
  readonly positionsOffsets: Uint32Array;
  readonly shapes: Uint16Array;
  readonly bounds: BoundSections;
}

/**
 * Inverts the tokens that lie in `memory` and codes all lists: counts, sorts the terms, scatters the occurrences to them
 * (a counting sort by term: IIR 4.2 and 4.3 with term ids instead of terms), codes list after list. Yields what is ready.
 */
export function* invertTokens(
  memory: InversionMemory,
  stream: TermStream,
  input: InversionInput,
): Generator<EncodedChunk, EncodedLists> {
  const { kernel } = memory;
  placeInput(memory, stream.termCount, input);
  kernel.countTerms();
  const biwords = addBiwords(memory, stream, input.order.length, input.commonWords);
  kernel.sumCounts();
  placeKeys(memory, stream, biwords.keys);
  const termCount = memory.get(layout.STATE_TERM_COUNT);
  sortTerms(memory, termCount);
  const entriesBytes = (memory.get(layout.STATE_ENTRY_COUNT) + 1) * layout.ENTRY_BYTES;
  memory.set(layout.STATE_ENTRIES, memory.take(entriesBytes));
  const deltasBytes = memory.get(layout.STATE_DELTA_COUNT) * WORD_BYTES + layout.SLACK;
  memory.set(layout.STATE_DELTAS, memory.take(deltasBytes));
  kernel.placeTerms();
  kernel.scatter();
  placeOutput(memory, termCount);
  const terms: Uint8Array[] = [];
  for (let rank = 0; rank < termCount; ) {
    rank = kernel.encodeTerms(rank);
    terms.push(takeKeyed(memory).slice());
    yield { docs: takeDocs(memory), positions: takePositions(memory) };
  }
  const { commonWords, keys } = biwords;
  return { ...collect(memory, termCount, Buffer.concat(terms)), biwordCount: keys.length, commonWords };
}

const placeInput = (memory: InversionMemory, wordCount: number, input: InversionInput): void => {
  const { order, runEnds, lengthCodes, scorer } = input;
  memory.set(layout.STATE_RUN_ENDS, memory.put(runEnds));
  memory.set(layout.STATE_RUN_COUNT, runEnds.length);
  memory.set(layout.STATE_ORDER, memory.put(order));
  memory.set(layout.STATE_DOC_COUNT, order.length);
  memory.set(layout.STATE_LENGTH_CODES, memory.put(lengthCodes));
  memory.set(layout.STATE_TERMS, memory.takeZeros(wordCount * layout.TERM_BYTES));
  memory.set(layout.STATE_TERM_COUNT, wordCount);
  memory.set(layout.STATE_WORD_COUNT, wordCount);
  memory.set(layout.STATE_COMMON_COUNT, 0);
  memory.bytes.set(new Uint8Array(scorer.occurrences.buffer), layout.OCCURRENCES);
  new Float32Array(memory.bytes.buffer)[layout.STATE_K1 / WORD_BYTES] = scorer.k1;
  memory.bytes.fill(0, layout.IMPACT_STEPS, layout.TOKENS);
  memory.bytes.fill(0, layout.ROW_OTHERS, layout.ROW_OTHERS + layout.ROW_OTHERS_BYTES);
};

/** Makes room for the ranks, and copies all terms' bytes, the last region so far, which grows as they come. */
const placeKeys = (memory: InversionMemory, stream: TermStream, biwords: readonly Uint8Array[]): void => {
  const wordCount = stream.termCount;
  const termCount = wordCount + biwords.length;
  memory.set(layout.STATE_RANKS, memory.take(termCount * WORD_BYTES));
  memory.set(layout.STATE_KEY_ENDS, memory.take((termCount + 1) * WORD_BYTES));
  const start = memory.take(0);
  const ends = memory.get(layout.STATE_KEY_ENDS) / WORD_BYTES;
  let length = 0;
  memory.words[ends] = 0;
  for (let id = 0; id < termCount; id += 1) {
    const key = id < wordCount ? stream.termBytes(id) : biwords[id - wordCount]!;
    memory.ensure(start + length + key.length);
    memory.bytes.set(key, start + length);
    length += key.length;
    memory.words[ends + id + 1] = length;
  }
  memory.take(start + length + layout.SLACK - memory.top);
  memory.set(layout.STATE_KEYS, start);
};

const sortTerms = (memory: InversionMemory, termCount: number): void => {
  const records = memory.take(termCount * layout.RECORD_BYTES);
  memory.set(layout.STATE_RECORDS, records);
  memory.kernel.sortTerms();
  memory.release(records);
};

/** Makes room for one chunk of an output and for what one more term can add. */
const placeChunk = (memory: InversionMemory, states: ChunkStates, mostBytes: number): void => {
  const start = memory.take(CHUNK_BYTES + mostBytes + layout.OUTPUT_SLACK);
  memory.set(states.start, start);
  memory.set(states.at, start);
  memory.set(states.stop, start + CHUNK_BYTES);
  memory.set(states.taken, 0);
};

interface ChunkStates {
  readonly start: number;
  readonly at: number;
  readonly stop: number;
  readonly taken: number;
}

const DOCS: ChunkStates = {
  start: layout.STATE_DOCS_START,
  at: layout.STATE_DOCS_AT,
  stop: layout.STATE_DOCS_STOP,
  taken: layout.STATE_DOCS_TAKEN,
};
const POSITIONS: ChunkStates = {
  start: layout.STATE_POSITIONS_START,
  at: layout.STATE_POSITIONS_AT,
  stop: layout.STATE_POSITIONS_STOP,
  taken: layout.STATE_POSITIONS_TAKEN,
};
const KEYED: ChunkStates = {
  start: layout.STATE_KEYED_START,
  at: layout.STATE_KEYED_AT,
  stop: layout.STATE_KEYED_STOP,
  taken: layout.STATE_KEYED_TAKEN,
};

const placeOutput = (memory: InversionMemory, termCount: number): void => {
  const longestKey = longestOf(memory, termCount);
  placeChunk(memory, DOCS, memory.get(layout.STATE_MOST_ENTRIES) * layout.DOCS_BYTES_PER_ENTRY);
  placeChunk(memory, POSITIONS, memory.get(layout.STATE_MOST_DELTAS) * layout.POSITIONS_BYTES_PER_DELTA);
  placeChunk(memory, KEYED, longestKey + layout.KEYED_BYTES_PER_TERM);
  const blocks = memory.get(layout.STATE_RECORD_LIMIT);
  const columns: readonly [state: number, lengthBytes: number][] = [
    [layout.STATE_TERM_BLOCKS, Math.ceil(termCount / TERMS_PER_BLOCK) * WORD_BYTES],
    [layout.STATE_HASHES, termCount * WORD_BYTES],
    [layout.STATE_LAST_DOCS, blocks * WORD_BYTES],
    [layout.STATE_DOCS_OFFSETS, blocks * WORD_BYTES],
    [layout.STATE_POSITIONS_OFFSETS, blocks * WORD_BYTES],
    [layout.STATE_SHAPES, blocks * 2],
    [layout.STATE_BLOCK_BOUNDS, blocks],
    [layout.STATE_GROUP_BOUNDS, blocks * GROUPS_PER_BLOCK],
    [layout.STATE_BEST_IMPACTS, blocks],
  ];
  for (const [state, lengthBytes] of columns) memory.set(state, memory.take(lengthBytes));
  memory.set(layout.STATE_BLOCK_COUNT, 0);
};

const longestOf = (memory: InversionMemory, termCount: number): number => {
  const start = memory.get(layout.STATE_KEY_ENDS) / WORD_BYTES;
  let longest = 0;
  for (let i = start; i < start + termCount; i += 1) {
    longest = Math.max(longest, memory.words[i + 1]! - memory.words[i]!);
  }
  return longest;
};

/** Takes an output away; the bytes are valid until the kernel goes on. */
const takeChunk = (memory: InversionMemory, states: ChunkStates): Uint8Array => {
  const start = memory.get(states.start);
  const end = memory.get(states.at);
  memory.set(states.taken, memory.get(states.taken) + end - start);
  memory.set(states.at, start);
  return memory.bytes.subarray(start, end);
};
const takeDocs = (memory: InversionMemory): Uint8Array => takeChunk(memory, DOCS);
const takePositions = (memory: InversionMemory): Uint8Array => takeChunk(memory, POSITIONS);
const takeKeyed = (memory: InversionMemory): Uint8Array => takeChunk(memory, KEYED);

/** Part of the hash index's slots that is used: at 0.85 a term is found at the fourth slot, within one cache line. */
const HASH_LOAD = 0.85;

/** Slots of the hash index for so many terms; one at least is free. */
export const hashSlotCount = (termCount: number): number => Math.ceil(termCount / HASH_LOAD) + 1;

const collect = (
  memory: InversionMemory,
  termCount: number,
  terms: Uint8Array,
): Omit<EncodedLists, 'biwordCount' | 'commonWords'> => {
  const slotCount = hashSlotCount(termCount);
  const slots = memory.take(slotCount * WORD_BYTES);
  memory.bytes.fill(0, slots, memory.top);
  memory.set(layout.STATE_SLOTS, slots);
  memory.set(layout.STATE_SLOT_COUNT, slotCount);
  memory.kernel.buildHashIndex();
  const blocks = memory.get(layout.STATE_BLOCK_COUNT);
  const { buffer } = memory.bytes;
  const words = (state: number, count: number) => new Uint32Array(buffer, memory.get(state), count);
  const bytes = (state: number, count: number) => new Uint8Array(buffer, memory.get(state), count);
  return {
    termCount,
    dictionary: {
      terms,
      termBlocks: words(layout.STATE_TERM_BLOCKS, Math.ceil(termCount / TERMS_PER_BLOCK)),
      termHash: words(layout.STATE_SLOTS, slotCount),
    },
    lastDocs: words(layout.STATE_LAST_DOCS, blocks),
    docsOffsets: words(layout.STATE_DOCS_OFFSETS, blocks),
    positionsOffsets: words(layout.STATE_POSITIONS_OFFSETS, blocks),
    shapes: new Uint16Array(buffer, memory.get(layout.STATE_SHAPES), blocks),
    bounds: {
      blocks: bytes(layout.STATE_BLOCK_BOUNDS, blocks),
      groups: bytes(layout.STATE_GROUP_BOUNDS, blocks * GROUPS_PER_BLOCK),
      best: bytes(layout.STATE_BEST_IMPACTS, blocks),
    },
  };
};
