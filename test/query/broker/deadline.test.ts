import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LATE, withDeadline } from '../../../query/broker/deadline.ts';
import { HandClock } from '../../helpers/hand-clock.ts';

const never = () => new Promise<string>(() => undefined);

describe('withDeadline', () => {
  it('gives the result of work that is in time, and leaves no sleeper behind', async () => {
    const clock = new HandClock();
    assert.equal(await withDeadline({ timeoutMs: 10, clock }, async () => 'done'), 'done');
    assert.equal(clock.sleeperCount, 0);
  });

  it('says that work is late at the deadline and not before, and aborts it', async () => {
    const clock = new HandClock();
    let signalled: AbortSignal | undefined;
    const running = withDeadline({ timeoutMs: 10, clock }, (signal) => {
      signalled = signal;
      return never();
    });
    clock.advance(9);
    assert.equal(await Promise.race([running, Promise.resolve('running')]), 'running');
    clock.advance(1);
    assert.equal(await running, LATE);
    assert.equal(signalled?.aborted, true);
  });

  it('passes an error of the work on', async () => {
    const clock = new HandClock();
    const failing = withDeadline({ timeoutMs: 10, clock }, () => Promise.reject(new Error('broken')));
    await assert.rejects(failing, /broken/);
    assert.equal(clock.sleeperCount, 0);
  });

  it('ends with the reason of the caller, before and during the work', async () => {
    const clock = new HandClock();
    const caller = new AbortController();
    const running = withDeadline({ timeoutMs: 10, clock, signal: caller.signal }, never);
    caller.abort(new Error('enough'));
    await assert.rejects(running, /enough/);
    await assert.rejects(withDeadline({ timeoutMs: 10, clock, signal: caller.signal }, never), /enough/);
  });
});
