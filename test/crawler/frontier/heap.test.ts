import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Heap } from '../../../crawler/frontier/heap.ts';

interface Item {
  key: number;
  readonly id: number;
}

describe('heap', () => {
  it('gives items in the order of their keys, whatever was added, moved and removed before', () => {
    const operation = fc.record({
      op: fc.constantFrom('add' as const, 'add' as const, 'move' as const, 'remove' as const),
      at: fc.nat(30),
      key: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), (operations) => {
        const heap = new Heap<Item>((item) => item.key);
        const items = Array.from({ length: 31 }, (_, id): Item => ({ key: 0, id }));
        const inside = new Set<Item>();
        for (const { op, at, key } of operations) {
          const item = items[at] as Item;
          if (op === 'remove') {
            heap.remove(item);
            inside.delete(item);
          } else if (op === 'add' || inside.has(item)) {
            item.key = key;
            heap.update(item);
            inside.add(item);
          }
          heap.checkConsistent();
          assert.equal(heap.size, inside.size);
          assert.equal(
            heap.peek()?.key,
            inside.size === 0 ? undefined : Math.min(...[...inside].map((each) => each.key)),
          );
        }
        const order: number[] = [];
        for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
          order.push(top.key);
          heap.remove(top);
        }
        assert.deepEqual(
          order,
          [...inside].map((item) => item.key).sort((a, b) => a - b),
        );
      }),
    );
  });
});
