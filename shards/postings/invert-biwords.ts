import * as layout from '../kernels/inversion-layout.ts';
import type { TermStream } from '../text/term-stream.ts';
import { joinBiword, leastCommonDocs, MAX_COMMON_WORDS } from './biwords.ts';
import type { InversionMemory } from './inversion-memory.ts';

const WORD_BYTES = 4;
const BITS_PER_WORD = 32;

interface CountedWord {
  readonly id: number;
  readonly isInherited: boolean;
  /** Fields of documents that hold it: no fewer than documents. */
  readonly entries: number;
}

/** Inherited words come first, then those that stand most often. */
const compareWords = (a: CountedWord, b: CountedWord): number =>
  Number(b.isInherited) - Number(a.isInherited) || b.entries - a.entries || a.id - b.id;

/** The common words: those that are so elsewhere in the index, and those that the documents at hand make common. */
const commonIds = (
  memory: InversionMemory,
  stream: TermStream,
  docCount: number,
  inherited: ReadonlySet<string>,
): readonly number[] => {
  const least = leastCommonDocs(docCount);
  const found: CountedWord[] = [];
  const first = (memory.get(layout.STATE_TERMS) + layout.TERM_ENTRIES) / WORD_BYTES;
  for (let id = 0; id < stream.termCount; id += 1) {
    const entries = memory.words[first + (id * layout.TERM_BYTES) / WORD_BYTES]!;
    const isInherited = entries > 0 && inherited.size > 0 && inherited.has(textOf(stream.termBytes(id)));
    if (isInherited || entries >= least) found.push({ id, isInherited, entries });
  }
  const most = found.sort(compareWords).slice(0, MAX_COMMON_WORDS);
  return most.map(({ id }) => id);
};

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Tells the kernel which words are common. */
const placeCommon = (memory: InversionMemory, ids: readonly number[], termCount: number): void => {
  const bits = new Uint32Array(Math.ceil(termCount / BITS_PER_WORD));
  const numbers = new Uint16Array(termCount);
  ids.forEach((id, number) => {
    bits[id >>> 5]! |= 1 << (id & 31);
    numbers[id] = number;
  });
  memory.set(layout.STATE_COMMON_COUNT, ids.length);
  memory.set(layout.STATE_COMMON_BITS, memory.put(bits));
  memory.set(layout.STATE_COMMON_NUMBERS, memory.put(new Uint8Array(numbers.buffer)));
  memory.set(layout.STATE_PAIRS, memory.takeZeros(ids.length ** 2 * layout.TERM_BYTES));
  memory.set(layout.STATE_PAIR_IDS, memory.takeZeros(ids.length ** 2 * WORD_BYTES));
};

/** Moves what is counted of the words to where that of the biwords has room behind it. */
const moveTerms = (memory: InversionMemory, biwordCount: number): void => {
  const wordBytes = memory.get(layout.STATE_WORD_COUNT) * layout.TERM_BYTES;
  const from = memory.get(layout.STATE_TERMS);
  const to = memory.takeZeros(wordBytes + biwordCount * layout.TERM_BYTES);
  memory.bytes.copyWithin(to, from, from + wordBytes);
  memory.set(layout.STATE_TERMS, to);
};

/** Keys of the biwords in the order of their ids, which is that of their pairs. */
const keysOfBiwords = (memory: InversionMemory, common: readonly Uint8Array[]): readonly Uint8Array[] => {
  const ids = memory.get(layout.STATE_PAIR_IDS) / WORD_BYTES;
  return common.flatMap((first, row) =>
    common.flatMap((second, column) =>
      memory.words[ids + row * common.length + column] === 0 ? [] : [joinBiword(first, second)],
    ),
  );
};

/** What the inversion of a batch has of biwords. */
export interface InvertedBiwords {
  /** In the order of their bytes. */
  readonly commonWords: readonly string[];
  /** Keys of the terms behind the words. */
  readonly keys: readonly Uint8Array[];
}

/** Makes terms of the batch's biwords, when its words are counted. `inherited`: words that are common whatever their number here. */
export const addBiwords = (
  memory: InversionMemory,
  stream: TermStream,
  docCount: number,
  inherited: ReadonlySet<string>,
): InvertedBiwords => {
  const words = commonIds(memory, stream, docCount, inherited).map((id) => ({
    id,
    bytes: stream.termBytes(id).slice(),
  }));
  if (words.length === 0) return { commonWords: [], keys: [] };
  words.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const common = words.map(({ bytes }) => bytes);
  placeCommon(
    memory,
    words.map(({ id }) => id),
    stream.termCount,
  );
  moveTerms(memory, memory.kernel.countBiwords());
  memory.kernel.nameBiwords();
  return { commonWords: common.map(textOf), keys: keysOfBiwords(memory, common) };
};
