import { ByteWriter } from '../bytes/byte-writer.ts';
import { FIELD_COUNT } from '../postings/field-slots.ts';
import { TailReader } from '../postings/tail-codec.ts';
import { lengthCode } from '../values/length-code.ts';
import type { RoaringBitmap32 } from './bitmap.ts';

/** The two sections of a segment that hold lengths. */
export interface FieldLengthSections {
  /** A byte per document (values/length-code.ts), the fields' columns one after the other. */
  readonly lengthCodes: Uint8Array;
  /**
   * Exact lengths as varints, document by document, of the fields that any document has; read only to take deleted
   * documents out of the totals.
   */
  readonly exactLengths: Uint8Array;
}

export interface EncodedFieldLengths extends FieldLengthSections {
  /** Sums of the exact lengths, by field. */
  readonly totals: readonly number[];
}

/** Fields that any document has, from the sums of all documents' lengths. */
const usedFields = (totals: readonly number[]): number[] =>
  [...totals.keys()].filter((field) => (totals[field] ?? 0) > 0);

/** Takes documents in their final order. */
export const encodeFieldLengths = (
  docCount: number,
  lengthTokens: (doc: number, field: number) => number,
): EncodedFieldLengths => {
  const lengthCodes = new Uint8Array(docCount * FIELD_COUNT);
  const totals = Array.from({ length: FIELD_COUNT }, () => 0);
  for (let doc = 0; doc < docCount; doc += 1) {
    for (let field = 0; field < FIELD_COUNT; field += 1) {
      const length = lengthTokens(doc, field);
      lengthCodes[field * docCount + doc] = lengthCode(length);
      totals[field]! += length;
    }
  }
  const exact = new ByteWriter(1 << 12);
  const fields = usedFields(totals);
  for (let doc = 0; doc < docCount; doc += 1) {
    for (const field of fields) exact.varint(lengthTokens(doc, field));
  }
  return { lengthCodes, exactLengths: exact.view(), totals };
};

/** The column of each field, in the order of FIELD_NAMES. */
export const codesByField = (lengthCodes: Uint8Array, docCount: number): Uint8Array[] =>
  Array.from({ length: FIELD_COUNT }, (_, field) =>
    lengthCodes.subarray(field * docCount, (field + 1) * docCount),
  );

/** Inverse of the exact half of encodeFieldLengths: lengths at document x FIELD_COUNT + field. */
export const decodeExactLengths = (
  { exactLengths, totals }: Pick<EncodedFieldLengths, 'exactLengths' | 'totals'>,
  docCount: number,
): Uint32Array => {
  const source = new TailReader(exactLengths, 0);
  const fields = usedFields(totals);
  const lengths = new Uint32Array(docCount * FIELD_COUNT);
  for (let doc = 0; doc < docCount; doc += 1) {
    for (const field of fields) lengths[doc * FIELD_COUNT + field] = source.varint();
  }
  return lengths;
};

/** How long the fields of a segment's documents are. */
export class FieldLengths {
  /** Codes by field, in the order of FIELD_NAMES. */
  readonly codes: readonly Uint8Array[];
  readonly #totals: () => readonly number[];
  #liveTotals: readonly number[] | undefined;

  constructor(
    sections: FieldLengthSections,
    docCount: number,
    totals: readonly number[],
    deletes: RoaringBitmap32 | undefined,
  ) {
    this.codes = codesByField(sections.lengthCodes, docCount);
    this.#totals = () => (deletes ? liveTotals(sections.exactLengths, docCount, totals, deletes) : totals);
  }

  /** Sums of the exact lengths over live documents, by field. Counted when first asked for: a search needs none. */
  get totals(): readonly number[] {
    this.#liveTotals ??= this.#totals();
    return this.#liveTotals;
  }
}

const liveTotals = (
  exactLengths: Uint8Array,
  docCount: number,
  totals: readonly number[],
  deletes: RoaringBitmap32,
): number[] => {
  const live = [...totals];
  const fields = usedFields(totals);
  const source = new TailReader(exactLengths, 0);
  for (let doc = 0; doc < docCount; doc += 1) {
    const sign = deletes.has(doc) ? 1 : 0;
    for (const field of fields) live[field]! -= sign * source.varint();
  }
  return live;
};
