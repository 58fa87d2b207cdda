import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { drawLevel, drawLevels, LEVEL_COUNT } from '../../../crawler/frontier/front-queues.ts';

describe('front queues', () => {
  it('draws a level twice as often as the next one', () => {
    const counts = [1, 1, 1, 1, 1, 1, 1, 1];
    const drawn = Array.from({ length: LEVEL_COUNT }, () => 0);
    const draws = 255 * 40;
    for (let index = 0; index < draws; index += 1) {
      const level = drawLevel(counts, () => (index + 0.5) / draws);
      drawn[level] = (drawn[level] ?? 0) + 1;
    }
    assert.deepEqual(
      drawn.map((count) => count / 40),
      [128, 64, 32, 16, 8, 4, 2, 1],
    );
  });

  it('draws only levels that hold something, and all that they hold in the end', () => {
    const random = fc.double({ min: 0, max: 0.999999, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.nat(4), { minLength: 8, maxLength: 8 }),
        fc.infiniteStream(random),
        fc.nat(40),
        (counts, stream, limit) => {
          const total = counts.reduce((sum, count) => sum + count, 0);
          const drawn = drawLevels(counts, limit, () => stream.next().value as number);
          assert.equal(drawn.length, Math.min(limit, total));
          for (const [level, count] of counts.entries()) {
            assert.ok(drawn.filter((each) => each === level).length <= count);
          }
        },
      ),
    );
  });
});
