import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Stage } from '../../../crawler/stages/stage.ts';

describe('stage', () => {
  it('works on a few items at a time and makes the producer wait when its queue is full', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    const stage = new Stage<number>({
      name: 'test',
      concurrency: 2,
      capacity: 1,
      work: () =>
        new Promise((resolve) => {
          open.push(resolve);
          most = Math.max(most, open.length);
        }),
      onFailure: () => assert.fail('nothing fails'),
    });
    for (let item = 0; item < 3; item += 1) await stage.push(item);
    assert.equal(stage.isFull, true);
    let isTaken = false;
    const pushed = stage.push(3).then(() => {
      isTaken = true;
    });
    await turn();
    assert.equal(isTaken, false);
    open.shift()?.();
    await pushed;
    assert.equal(stage.load, 3);
    const drained = stage.drain();
    while (stage.load > 0) {
      open.shift()?.();
      await turn();
    }
    await drained;
    assert.equal(most, 2);
  });

  it('reports what fails and goes on to drain', async () => {
    const failures: unknown[] = [];
    const stage = new Stage<number>({
      name: 'test',
      concurrency: 1,
      capacity: 5,
      work: (item) => (item === 1 ? Promise.reject(new Error('one')) : Promise.resolve()),
      onFailure: (name, error) => failures.push([name, (error as Error).message]),
    });
    for (const item of [0, 1, 2]) await stage.push(item);
    await stage.drain();
    assert.deepEqual(failures, [['test', 'one']]);
  });
});
