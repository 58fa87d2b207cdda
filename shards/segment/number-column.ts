/** Codes a column of numbers; one value stands for all when they are equal. */
export const encodeNumberColumn = (column: readonly number[]): Float64Array => {
  const isConstant = column.every((value) => value === column[0]);
  return Float64Array.from(isConstant ? column.slice(0, 1) : column);
};

/** The value of a document. */
export const numberAt = (column: Float64Array, doc: number): number => column[column.length === 1 ? 0 : doc]!;
