import { toUSVString } from 'node:util';
import { type Analyser, BLOCK_GAP } from '../text/token.ts';
import type { FieldText } from '../values/fields.ts';
import { FIELD_COUNT, fieldIndex } from './field-slots.ts';
import { GrowableUint32 } from './growable.ts';
import { type EncodedTerm, PostingsEncoder } from './postings-encoder.ts';
import { sortTerms } from './term-order.ts';

/** What one distinct term costs in memory: a string, a map entry, an array element. A guess on the safe side. */
const BYTES_PER_TERM = 160;
/** Inversion scatters every occurrence into two more arrays. */
const SCATTER_BYTES = 8;

/**
 * Gathers the occurrences of a batch of documents and inverts them by a counting sort (IIR 4.2 and 4.3 with term ids
 * instead of terms). Four parallel arrays, no object per occurrence.
 */
export class PostingsWriter {
  readonly #analyser: Analyser;
  readonly #ids = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #termIds = new GrowableUint32(1 << 12);
  readonly #positions = new GrowableUint32(1 << 12);
  /** End of each document's and field's run in the two arrays above. */
  readonly #runEnds = new GrowableUint32(1 << 8);
  readonly #lengths = new GrowableUint32(1 << 8);

  constructor(analyser: Analyser) {
    this.#analyser = analyser;
  }

  get docCount(): number {
    return this.#runEnds.length / FIELD_COUNT;
  }

  /** Memory that the batch takes, with what inverting it will take. */
  get memoryBytes(): number {
    const arrays = [this.#termIds, this.#positions, this.#runEnds, this.#lengths];
    const held = arrays.reduce((sum, array) => sum + array.capacityBytes, 0);
    return held + this.#termIds.length * SCATTER_BYTES + this.#terms.length * BYTES_PER_TERM;
  }

  /** Cuts a document's fields into terms. Texts of one field follow each other with a gap. */
  add(fields: readonly FieldText[], lang: string): void {
    for (let field = 0; field < FIELD_COUNT; field += 1) {
      let base = 0;
      let lengthTokens = 0;
      for (const part of fields) {
        if (fieldIndex(part.field) !== field || part.text === '') continue;
        const run = this.#addText(this.#analyser.analyse(part.text, lang), base);
        lengthTokens += run.lengthTokens;
        if (run.lengthTokens > 0) base = run.end + BLOCK_GAP;
      }
      this.#runEnds.push(this.#termIds.length);
      this.#lengths.push(lengthTokens);
    }
  }

  /** Length = distinct positions: a word that is indexed in several forms counts once. */
  #addText(
    tokens: readonly { readonly term: string; readonly position: number }[],
    base: number,
  ): { readonly lengthTokens: number; readonly end: number } {
    let lengthTokens = 0;
    let last = -1;
    for (const { term, position } of tokens) {
      if (position < last) throw new RangeError(`analyser ${this.#analyser.name} went back to ${position}`);
      if (position > last) lengthTokens += 1;
      last = position;
      this.#termIds.push(this.#idOf(term));
      this.#positions.push(base + position);
    }
    return { lengthTokens, end: base + last + 1 };
  }

  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    // Two ill-formed strings may have the same UTF-8 bytes; the well-formed one stands for both.
    const wellFormed = toUSVString(term);
    const id = this.#ids.get(wellFormed) ?? this.#terms.push(wellFormed) - 1;
    this.#ids.set(wellFormed, id);
    this.#ids.set(term, id);
    return id;
  }

  /** Exact length of a field of the document that was added as number `doc`. */
  lengthTokens(doc: number, field: number): number {
    return this.#lengths.at(doc * FIELD_COUNT + field);
  }

  /**
   * Codes all terms in rising order of their UTF-8 bytes. `order[i]` is the number of the added document that becomes
   * document i.
   */
  invert(order: Uint32Array, sink: (key: Uint8Array, term: EncodedTerm) => void): PostingsEncoder {
    const { ends, slots, positions } = this.#scatter(order);
    const encoder = new PostingsEncoder();
    for (const { id, key } of sortTerms(this.#terms)) {
      encoder.startTerm();
      const end = ends[id]!;
      for (let at = id === 0 ? 0 : ends[id - 1]!; at < end; at += 1) {
        const slot = slots[at]!;
        const doc = Math.floor(slot / FIELD_COUNT);
        encoder.add(doc, slot - doc * FIELD_COUNT, positions[at]!);
      }
      sink(key, encoder.endTerm());
    }
    return encoder;
  }

  /** Sorts the occurrences by term, keeping documents, fields and positions in order. */
  #scatter(order: Uint32Array): {
    readonly ends: Uint32Array;
    readonly slots: Uint32Array;
    readonly positions: Uint32Array;
  } {
    const termIds = this.#termIds.view();
    const sourcePositions = this.#positions.view();
    const runEnds = this.#runEnds.view();
    const next = new Uint32Array(this.#terms.length);
    for (const id of termIds) next[id]! += 1;
    let start = 0;
    for (let id = 0; id < next.length; id += 1) {
      const count = next[id]!;
      next[id] = start;
      start += count;
    }
    const slots = new Uint32Array(termIds.length);
    const positions = new Uint32Array(termIds.length);
    for (let doc = 0; doc < order.length; doc += 1) {
      for (let field = 0; field < FIELD_COUNT; field += 1) {
        const run = order[doc]! * FIELD_COUNT + field;
        for (let at = run === 0 ? 0 : runEnds[run - 1]!; at < runEnds[run]!; at += 1) {
          const target = next[termIds[at]!]!++;
          slots[target] = doc * FIELD_COUNT + field;
          positions[target] = sourcePositions[at]!;
        }
      }
    }
    // Each term's next free place is now its end.
    return { ends: next, slots, positions };
  }
}
