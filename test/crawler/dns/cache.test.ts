import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resolution, Resolver } from '../../../crawler/index.ts';
import { DnsCache, DnsError } from '../../../crawler/index.ts';
import { HandClock } from '../../helpers/hand-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Answers by a function; counts the questions, and how many are under way at once. */
class FakeResolver implements Resolver {
  readonly asked: string[] = [];
  underWay = 0;
  mostUnderWay = 0;
  readonly #answer: (host: string) => Promise<Resolution>;

  constructor(answer: (host: string) => Promise<Resolution>) {
    this.#answer = answer;
  }

  async resolve(host: string): Promise<Resolution> {
    this.asked.push(host);
    this.underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    try {
      return await this.#answer(host);
    } finally {
      this.underWay -= 1;
    }
  }
}

const found = (ttlS: number) => async (): Promise<Resolution> => ({
  addresses: [{ ip: '192.0.2.1', family: 4 }],
  ttlS,
});
const failing =
  (serverCode: string) =>
  async (host: string): Promise<Resolution> => {
    throw new DnsError(host, serverCode);
  };

test('dns cache: answers hold for their time, a minute at least and six hours at most', async () => {
  for (const [ttlS, heldMs] of [
    [1, MINUTE_MS],
    [600, 10 * MINUTE_MS],
    [999_999, 6 * HOUR_MS],
  ] as const) {
    const clock = new HandClock();
    const resolver = new FakeResolver(found(ttlS));
    const cache = new DnsCache({ resolver, clock });
    assert.deepEqual(await cache.resolve('a.test'), ['192.0.2.1']);
    clock.advance(heldMs - 1);
    await cache.resolve('a.test');
    assert.equal(resolver.asked.length, 1);
    clock.advance(1);
    await cache.resolve('a.test');
    assert.equal(resolver.asked.length, 2);
  }
});

test('dns cache: names that do not exist are held 5 minutes, then twice as long, up to 6 hours', async () => {
  const clock = new HandClock();
  const resolver = new FakeResolver(failing('ENOTFOUND'));
  const cache = new DnsCache({ resolver, clock });
  for (const minutes of [5, 10, 20, 40, 80, 160, 320, 360, 360]) {
    const before = resolver.asked.length;
    await assert.rejects(cache.resolve('a.test'), DnsError);
    clock.advance(minutes * MINUTE_MS - 1);
    await assert.rejects(cache.resolve('a.test'), DnsError);
    assert.equal(resolver.asked.length, before + 1);
    clock.advance(1);
  }
});

test('dns cache: failures of servers are not held', async () => {
  const resolver = new FakeResolver(failing('ESERVFAIL'));
  const cache = new DnsCache({ resolver, clock: new HandClock() });
  await assert.rejects(cache.resolve('a.test'), { code: 'ESERVFAIL' });
  await assert.rejects(cache.resolve('a.test'), { code: 'ESERVFAIL' });
  assert.equal(resolver.asked.length, 2);
});

test('dns cache: one question for a host, so many under way at once', async () => {
  const gates: (() => void)[] = [];
  const resolver = new FakeResolver(async (host) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    return { addresses: [{ ip: host, family: 4 }], ttlS: 60 };
  });
  const cache = new DnsCache({ resolver, clock: new HandClock(), maxInFlight: 3 });
  const hosts = Array.from({ length: 10 }, (_, index) => `h${index}.test`);
  const answers = Promise.all([...hosts, ...hosts].map((host) => cache.resolve(host)));
  let isDone = false;
  void answers.then(() => {
    isDone = true;
  });
  while (!isDone) {
    gates.splice(0).forEach((open) => open());
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual((await answers).flat(), [...hosts, ...hosts]);
  assert.deepEqual([...resolver.asked].sort(), [...hosts].sort());
  assert.equal(resolver.mostUnderWay, 3);
});

test('dns cache: one who waits may stop waiting, the others get their answer', async () => {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const resolver = new FakeResolver(async () => {
    await gate;
    return found(60)();
  });
  const cache = new DnsCache({ resolver, clock: new HandClock() });
  const controller = new AbortController();
  const impatient = cache.resolve('a.test', controller.signal);
  const patient = cache.resolve('a.test');
  controller.abort(new Error('enough'));
  await assert.rejects(impatient, /enough/);
  open();
  assert.deepEqual(await patient, ['192.0.2.1']);
  assert.equal(resolver.asked.length, 1);
});

test('dns cache: forgets the host answered longest ago', async () => {
  const resolver = new FakeResolver(found(60));
  const cache = new DnsCache({ resolver, clock: new HandClock(), maxEntries: 2 });
  for (const host of ['a', 'b', 'c', 'b', 'a']) await cache.resolve(host);
  assert.deepEqual(resolver.asked, ['a', 'b', 'c', 'a']);
});
