/** Front queues (IIR 20.2.3): levels of priority, 0 is asked first. */
export const LEVEL_COUNT = 8;

/**
 * Which front queue the next URL is taken from: drawn with weight 2^(7 - level) among those that hold any, so that a better
 * level is twice as likely as the next one and no level starves.
 * Precondition: `counts` has LEVEL_COUNT entries, one of them above 0.
 */
export const drawLevel = (counts: readonly number[], random: () => number): number => {
  let totalWeight = 0;
  for (let level = 0; level < LEVEL_COUNT; level += 1) {
    if ((counts[level] ?? 0) > 0) totalWeight += 2 ** (LEVEL_COUNT - 1 - level);
  }
  let draw = random() * totalWeight;
  let last = 0;
  for (let level = 0; level < LEVEL_COUNT; level += 1) {
    if ((counts[level] ?? 0) === 0) continue;
    last = level;
    draw -= 2 ** (LEVEL_COUNT - 1 - level);
    if (draw < 0) return level;
  }
  return last;
};

/** Draws up to `limit` levels without taking more of a level than it holds; the result is in the order drawn. */
export const drawLevels = (counts: readonly number[], limit: number, random: () => number): number[] => {
  const left = [...counts];
  const drawn: number[] = [];
  let total = left.reduce((sum, count) => sum + count, 0);
  while (drawn.length < limit && total > 0) {
    const level = drawLevel(left, random);
    left[level] = (left[level] ?? 0) - 1;
    total -= 1;
    drawn.push(level);
  }
  return drawn;
};
