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
