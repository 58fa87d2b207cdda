import type { ByteWriter } from '../bytes/byte-writer.ts';
import { bitWidth, packedWords, packLanes, unpackLanes } from './bit-packing.ts';
import { encodeOthers, type OtherKind } from './other-frequencies.ts';
import type { PostingRows } from './tail-codec.ts';

/**
 * How a full block is packed, 16 bits:
 * ```
 *  15   13 12 11    10     9     5 4     0
 *  [ 0 0 0 ][others][base][tf width][doc width]
 * ```
 * base: 1 when all body frequencies are at least 1 and stored less 1; others: OtherKind.
 */
export interface BlockShape {
  readonly docWidth: number;
  readonly frequencyWidth: number;
  readonly frequencyBase: 0 | 1;
  readonly others: OtherKind;
}

/** The 16 bits of a block's record; widths must be below 32. */
export const packShape = (shape: BlockShape): number =>
  shape.docWidth | (shape.frequencyWidth << 5) | (shape.frequencyBase << 10) | (shape.others << 11);

export const docWidthOf = (shape: number): number => shape & 31;
export const frequencyWidthOf = (shape: number): number => (shape >>> 5) & 31;
export const frequencyBaseOf = (shape: number): number => (shape >>> 10) & 1;
export const othersOf = (shape: number): OtherKind => ((shape >>> 11) & 3) as OtherKind;

const asBytes = (words: Uint32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

/**
 * Appends a block of 128 postings to `target`, whose length must be a multiple of 4: gaps between documents less 1,
 * body frequencies, and the stream of the other fields. Returns its shape.
 */
export const encodeBlock = (rows: PostingRows, previousDoc: number, target: ByteWriter): BlockShape => {
  const gaps = rows.docs.map((doc, i) => doc - (i === 0 ? previousDoc : rows.docs[i - 1]!) - 1);
  const frequencyBase = rows.bodyFrequencies.every((frequency) => frequency > 0) ? 1 : 0;
  const frequencies = rows.bodyFrequencies.map((frequency) => frequency - frequencyBase);
  const docWidth = bitWidth(gaps, gaps.length);
  const frequencyWidth = bitWidth(frequencies, frequencies.length);
  target.bytes(asBytes(packLanes(gaps, docWidth)));
  target.bytes(asBytes(packLanes(frequencies, frequencyWidth)));
  const others = encodeOthers(rows.otherFrequencies);
  target.bytes(asBytes(others.words));
  return { docWidth, frequencyWidth, frequencyBase, others: others.kind };
};

/** Fills `docs` from the block at `wordOffset`. */
export const decodeDocs = (
  words: Uint32Array,
  wordOffset: number,
  block: { readonly shape: number; readonly previousDoc: number },
  docs: Uint32Array,
): void => {
  unpackLanes(words, wordOffset, docWidthOf(block.shape), docs);
  let doc = block.previousDoc;
  for (let i = 0; i < docs.length; i += 1) {
    doc += docs[i]! + 1;
    docs[i] = doc;
  }
};

/** Fills `frequencies` with the body's from the block at `wordOffset`. */
export const decodeBodyFrequencies = (
  words: Uint32Array,
  wordOffset: number,
  shape: number,
  frequencies: Uint32Array,
): void => {
  const at = wordOffset + packedWords(docWidthOf(shape));
  unpackLanes(words, at, frequencyWidthOf(shape), frequencies);
  if (frequencyBaseOf(shape) === 0) return;
  for (let i = 0; i < frequencies.length; i += 1) frequencies[i]! += 1;
};

/** Word at which the other fields' stream of the block at `wordOffset` begins. */
export const othersOffset = (wordOffset: number, shape: number): number =>
  wordOffset + packedWords(docWidthOf(shape)) + packedWords(frequencyWidthOf(shape));
