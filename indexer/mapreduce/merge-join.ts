/**
 * Joins two streams in rising order of their keys (code units), each with at most one entry per key:
 * every left entry, with the right one of the same key if there is one. Right entries without a left one fall away.
 */
export const mergeJoin = async function* <Left, Right>(
  left: AsyncIterable<Left>,
  right: AsyncIterable<Right>,
  keyOf: { readonly left: (entry: Left) => string; readonly right: (entry: Right) => string },
): AsyncGenerator<readonly [Left, Right | undefined]> {
  const rights = right[Symbol.asyncIterator]();
  try {
    let step = await rights.next();
    for await (const entry of left) {
      const key = keyOf.left(entry);
      while (step.done !== true && keyOf.right(step.value) < key) step = await rights.next();
      const matches = step.done !== true && keyOf.right(step.value) === key;
      yield [entry, matches ? step.value : undefined];
    }
  } finally {
    await rights.return?.();
  }
};

/** Joins two such streams keeping both: every key once, with the entries that there are of it. */
export const outerJoin = async function* <Left, Right>(
  left: AsyncIterable<Left>,
  right: AsyncIterable<Right>,
  keyOf: { readonly left: (entry: Left) => string; readonly right: (entry: Right) => string },
): AsyncGenerator<readonly [Left | undefined, Right | undefined]> {
  const lefts = left[Symbol.asyncIterator]();
  const rights = right[Symbol.asyncIterator]();
  try {
    let [atLeft, atRight] = [await lefts.next(), await rights.next()];
    while (atLeft.done !== true || atRight.done !== true) {
      const leftKey = atLeft.done === true ? undefined : keyOf.left(atLeft.value);
      const rightKey = atRight.done === true ? undefined : keyOf.right(atRight.value);
      const takesLeft = leftKey !== undefined && (rightKey === undefined || leftKey <= rightKey);
      const takesRight = rightKey !== undefined && (leftKey === undefined || rightKey <= leftKey);
      yield [takesLeft ? atLeft.value : undefined, takesRight ? atRight.value : undefined];
      if (takesLeft) atLeft = await lefts.next();
      if (takesRight) atRight = await rights.next();
    }
  } finally {
    await lefts.return?.();
    await rights.return?.();
  }
};
