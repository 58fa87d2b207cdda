import { TOKENS, WIDE_GAP, WIDE_ID } from '../kernels/inversion-layout.ts';
import type { TermRun, TermStream } from '../text/term-stream.ts';
import { BLOCK_GAP } from '../text/token.ts';
import type { FieldName } from '../values/fields.ts';
import { FIELD_COUNT, fieldIndex } from './field-slots.ts';
import { GrowableUint32 } from './growable.ts';
import { type EncodedChunk, type EncodedLists, type InversionInput, invertTokens } from './inversion.ts';
import { InversionMemory } from './inversion-memory.ts';

const WORD_BYTES = 4;
/** A token with a wide id and a wide gap. */
const MOST_WORDS_PER_TOKEN = 3;
/** What inverting takes for a token, and for a term. Guesses on the safe side. */
const INVERSION_BYTES_PER_TOKEN = 8;
const INVERSION_BYTES_PER_TERM = 64;

/** A text of a field; UTF-8 bytes save the making of a string. */
export interface IndexedText {
  readonly field: FieldName;
  readonly text: string | Uint8Array;
}

/** Gathers the tokens of a batch of documents, one word each in the inversion kernel's memory, and inverts them. */
export class PostingsWriter {
  readonly #stream: TermStream;
  readonly #memory = new InversionMemory();
  #wordCount = 0;
  /** End of each document's and field's run, in words. */
  readonly #runEnds = new GrowableUint32(1 << 8);
  readonly #lengths = new GrowableUint32(1 << 8);
  #lastPosition = 0;

  /** Takes a stream without terms for its own. */
  constructor(stream: TermStream) {
    this.#stream = stream;
  }

  get docCount(): number {
    return this.#runEnds.length / FIELD_COUNT;
  }

  /** Memory that the batch takes, with what inverting it will take. */
  get memoryBytes(): number {
    const held = this.#wordCount * WORD_BYTES + this.#runEnds.capacityBytes + this.#lengths.capacityBytes;
    const inversion =
      this.#wordCount * INVERSION_BYTES_PER_TOKEN + this.#stream.termCount * INVERSION_BYTES_PER_TERM;
    return held + this.#stream.memoryBytes + inversion;
  }

  /** Cuts a document's fields into terms. Texts of one field follow each other with a gap. */
  add(fields: readonly IndexedText[], lang: string): void {
    for (let field = 0; field < FIELD_COUNT; field += 1) {
      let base = 0;
      let lengthTokens = 0;
      this.#lastPosition = 0;
      for (const part of fields) {
        if (fieldIndex(part.field) !== field || part.text.length === 0) continue;
        const run = this.#stream.cut(part.text, lang);
        this.#append(run, base);
        lengthTokens += run.lengthTokens;
        if (run.lengthTokens > 0) base += run.endPosition + BLOCK_GAP;
      }
      this.#runEnds.push(this.#wordCount);
      this.#lengths.push(lengthTokens);
    }
  }

  #append({ termIds, positions }: TermRun, base: number): void {
    const memory = this.#memory;
    const first = TOKENS / WORD_BYTES;
    memory.ensure((first + this.#wordCount + termIds.length * MOST_WORDS_PER_TOKEN) * WORD_BYTES);
    const { words } = memory;
    let at = first + this.#wordCount;
    let last = this.#lastPosition;
    for (let i = 0; i < termIds.length; i += 1) {
      const id = termIds[i]!;
      const position = base + positions[i]!;
      const gap = position - last;
      last = position;
      if (gap < 0) throw new RangeError(`a stream of terms went back by ${-gap}`);
      if (id < WIDE_ID && gap < WIDE_GAP) {
        words[at++] = (id << 8) | gap;
        continue;
      }
      words[at++] = (Math.min(id, WIDE_ID) << 8) | Math.min(gap, WIDE_GAP);
      if (id >= WIDE_ID) words[at++] = id;
      if (gap >= WIDE_GAP) words[at++] = gap;
    }
    this.#wordCount = at - first;
    this.#lastPosition = last;
  }

  /** Exact length of a field of the document that was added as number `doc`. */
  lengthTokens(doc: number, field: number): number {
    return this.#lengths.at(doc * FIELD_COUNT + field);
  }

  /** Codes all terms in rising order of their UTF-8 bytes. The writer is used up. */
  invert(input: Omit<InversionInput, 'runEnds'>): Generator<EncodedChunk, EncodedLists> {
    this.#memory.take(this.#wordCount * WORD_BYTES);
    return invertTokens(this.#memory, this.#stream, { ...input, runEnds: this.#runEnds.view() });
  }
}
