/**
 * Biwords (IIR 2.4.1; with common words alone: Williams, Zobel and Bahle 2004, "Fast phrase querying with combined indexes"): two
 * common words that stand side by side are a term of their own, whose list says which documents hold that phrase and how
 * often, but not where. A phrase of common words would else be looked for in every document that holds all of them.
 */

/** Byte in front of each word of a biword's key. No text in UTF-8 has it: so biwords stand behind all words, and are none. */
const MARK = 0xff;

/** A word is common in a segment when one document in so many holds it... */
export const COMMON_SHARE = 12;
/** ...and as many as this do, whose lists have a block. */
export const LEAST_COMMON_DOCS = 128;
/** Most common words of a segment: their pairs have a table while they are counted. */
export const MAX_COMMON_WORDS = 512;

const encoder = new TextEncoder();

/** Key of a biword in the dictionary, out of its words' UTF-8 bytes. */
export const joinBiword = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const key = new Uint8Array(first.length + second.length + 2).fill(MARK);
  key.set(first, 1);
  key.set(second, first.length + 2);
  return key;
};

export const biwordKey = (first: string, second: string): Uint8Array =>
  joinBiword(encoder.encode(first), encoder.encode(second));

export const isBiword = (key: Uint8Array): boolean => key[0] === MARK;

/** The words of a biword's key. */
export const wordsOfBiword = (key: Uint8Array): readonly [first: string, second: string] => {
  const text = Buffer.from(key.buffer, key.byteOffset, key.length);
  const middle = text.indexOf(MARK, 1);
  return [text.toString('utf8', 1, middle), text.toString('utf8', middle + 1)];
};

/** How many documents of so many must hold a word that is common. */
export const leastCommonDocs = (docCount: number): number =>
  Math.max(LEAST_COMMON_DOCS, Math.ceil(docCount / COMMON_SHARE));
