export interface EncodedStringColumn {
  /** Distinct values in order of first appearance; they stand in the segment's `meta`. */
  readonly values: readonly string[];
  /** Index of each document's value, as narrow as the number of values allows; empty when there is but one. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
}

/** Codes a column of few distinct strings, such as languages. */
export const encodeStringColumn = (column: readonly string[]): EncodedStringColumn => {
  const ids = new Map<string, number>();
  const codes = column.map((value) => {
    const id = ids.get(value) ?? ids.size;
    ids.set(value, id);
    return id;
  });
  const values = [...ids.keys()];
  if (values.length <= 1) return { values, codes: new Uint8Array(0) };
  if (values.length <= 1 << 8) return { values, codes: Uint8Array.from(codes) };
  return { values, codes: values.length <= 1 << 16 ? Uint16Array.from(codes) : Uint32Array.from(codes) };
};

/** Reads what encodeStringColumn made. */
export class StringColumn {
  readonly values: readonly string[];
  readonly #codes: Uint8Array | Uint16Array | Uint32Array;

  /** `bytes` must be aligned to 4. */
  constructor(values: readonly string[], bytes: Uint8Array) {
    this.values = values;
    const { buffer, byteOffset, byteLength } = bytes;
    if (values.length <= 1 << 8) this.#codes = bytes;
    else if (values.length <= 1 << 16) this.#codes = new Uint16Array(buffer, byteOffset, byteLength / 2);
    else this.#codes = new Uint32Array(buffer, byteOffset, byteLength / 4);
  }

  /** Index into `values`. */
  code(doc: number): number {
    return this.#codes[doc] ?? 0;
  }

  value(doc: number): string {
    return this.values[this.code(doc)] ?? '';
  }
}
