import { MAX_COMMON_WORDS, wordsOfBiword } from '../postings/biwords.ts';
import type { SegmentContents } from './segment-reader.ts';

type Part = Pick<SegmentContents, 'commonWords' | 'dictionary'>;

/** Documents that hold the word; undefined when a segment holds it of which it is no common word. */
const docsWith = (word: string, parts: readonly Part[]): number | undefined => {
  let sum = 0;
  for (const { dictionary, commonWords } of parts) {
    const docCount = dictionary.find(word)?.docCount ?? 0;
    if (docCount > 0 && !commonWords.has(word)) return undefined;
    sum += docCount;
  }
  return sum;
};

/**
 * Common words of merged segments: those that are so in each segment that holds them. What stands beside another word is
 * not known without the text, and a word becomes common again when the index is built anew.
 */
export class MergedCommonWords {
  readonly #words: ReadonlySet<string>;
  /** The same in the order of their bytes; those in front of #next were met, or passed. */
  readonly #keys: readonly Buffer[];
  #next = 0;
  /** Words that the merged segment holds, of which biwords are kept. */
  readonly met: string[] = [];

  constructor(parts: readonly Part[]) {
    const candidates = new Set(parts.flatMap(({ commonWords }) => [...commonWords]));
    const known = [...candidates].flatMap((word) => {
      const docCount = docsWith(word, parts);
      return docCount === undefined ? [] : [{ word, docCount }];
    });
    const most = known.sort((a, b) => b.docCount - a.docCount).slice(0, MAX_COMMON_WORDS);
    this.#words = new Set(most.map(({ word }) => word));
    this.#keys = most.map(({ word }) => Buffer.from(word)).sort((a, b) => Buffer.compare(a, b));
  }

  /** To be told of each word that the merged segment holds, in the order of their bytes. */
  meet(key: Uint8Array): void {
    for (; this.#next < this.#keys.length; this.#next += 1) {
      const common = this.#keys[this.#next]!;
      const order = Buffer.compare(common, key);
      if (order > 0) return;
      if (order === 0) this.met.push(common.toString());
    }
  }

  /** Whether both words of the biword are among them. */
  hasBiword(key: Uint8Array): boolean {
    return wordsOfBiword(key).every((word) => this.#words.has(word));
  }
}
