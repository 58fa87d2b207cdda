import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DueHeap, type DueHost } from '../../../crawler/frontier/due-heap.ts';

interface Host extends DueHost {
  readonly name: string;
}
const host = (name: string, ip: string, dueAtMs: number): Host => ({ name, ip, dueAtMs });

describe('due heap', () => {
  it('takes the host that is due first, and nothing before its time', () => {
    const heap = new DueHeap<Host>({ exclusive: true });
    for (const each of [host('b', '1', 20), host('a', '2', 10), host('c', '3', 30)]) heap.update(each);
    assert.equal(heap.nextDueMs(), 10);
    assert.equal(heap.take(9), undefined);
    assert.equal(heap.take(25)?.name, 'a');
    assert.equal(heap.take(25)?.name, 'b');
    assert.equal(heap.take(25), undefined);
    assert.equal(heap.first()?.name, 'c');
  });

  it('keeps two hosts of one address apart until the address is released and its gap is over', () => {
    const heap = new DueHeap<Host>({ exclusive: true });
    const a = host('a', '127.0.0.1', 0);
    heap.update(a);
    heap.update(host('b', '127.0.0.1', 0));
    assert.equal(heap.take(5), a);
    assert.equal(heap.take(5), undefined);
    assert.equal(heap.nextDueMs(), undefined);
    heap.release(a, 100);
    assert.equal(heap.nextDueMs(), 100);
    assert.equal(heap.take(99), undefined);
    assert.equal(heap.take(100)?.name, 'b');
  });

  it('takes a host out of turn only when host and address are free', () => {
    const heap = new DueHeap<Host>({ exclusive: true });
    const a = host('a', '1', 0);
    const b = host('b', '1', 50);
    heap.update(a);
    heap.update(b);
    assert.deepEqual(heap.takeHost(b, 10), { taken: false, atMs: 50 });
    assert.equal(heap.take(10), a);
    assert.equal(heap.takeHost(b, 60).taken, false);
    heap.release(a, 70);
    assert.deepEqual(heap.takeHost(b, 60), { taken: false, atMs: 70 });
    assert.deepEqual(heap.takeHost(b, 70), { taken: true });
    heap.checkConsistent();
  });

  it('never has two hosts of an address out at once, and always the earliest that may be', () => {
    const step = fc.record({ host: fc.nat(7), waitMs: fc.nat(20), release: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const heap = new DueHeap<Host>({ exclusive: true });
        const hosts = Array.from({ length: 8 }, (_, index) => host(`h${index}`, `ip${index % 3}`, index));
        const freeAt = new Map<string, number>();
        const waiting = new Set(hosts);
        const out: Host[] = [];
        for (const each of hosts) heap.update(each);
        let nowMs = 0;
        for (const { waitMs, release } of steps) {
          nowMs += waitMs;
          const done = release ? out.shift() : undefined;
          if (done !== undefined) {
            freeAt.set(done.ip, nowMs + 5);
            heap.release(done, nowMs + 5);
            done.dueAtMs = nowMs + 15;
            heap.update(done);
            waiting.add(done);
          }
          const due = [...waiting]
            .filter(({ ip }) => !out.some((other) => other.ip === ip))
            .map((each) => Math.max(each.dueAtMs, freeAt.get(each.ip) ?? 0));
          const taken = heap.take(nowMs);
          heap.checkConsistent();
          if (taken === undefined) {
            assert.ok(due.every((ms) => ms > nowMs));
          } else {
            assert.equal(Math.max(taken.dueAtMs, freeAt.get(taken.ip) ?? 0), Math.min(...due));
            waiting.delete(taken);
            out.push(taken);
          }
        }
      }),
    );
  });
});
