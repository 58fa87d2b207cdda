import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer } from '../../../query/broker/answer.ts';
import { createBroker } from '../../../query/broker/broker.ts';
import { FakeNode, plainAnalyser } from '../../helpers/fake-node.ts';
import { HandClock } from '../../helpers/hand-clock.ts';

const TIMEOUT_MS = 1000;
const pages = Array.from({ length: 12 }, (_, at) => ({ url: `http://a.test/${at}`, text: 'apple' }));

/** A node that can be stopped as by SIGSTOP: it takes what it is asked and answers when it goes on. */
class StoppableNode extends FakeNode {
  searchCount = 0;
  statusCount = 0;
  #stopped: Promise<void> = Promise.resolve();
  #resume: () => void = () => undefined;

  stop(): void {
    this.#stopped = new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  goOn(): void {
    this.#resume();
  }

  override async search(...args: Parameters<FakeNode['search']>) {
    this.searchCount += 1;
    await this.#stopped;
    return super.search(...args);
  }

  override async status() {
    this.statusCount += 1;
    await this.#stopped;
    return super.status();
  }

  override async page(...args: Parameters<FakeNode['page']>) {
    await this.#stopped;
    return super.page(...args);
  }
}

const start = (viewMaxAgeMs: number) => {
  const clock = new HandClock();
  const well = new FakeNode({ pages: pages.slice(0, 8), allPages: pages, shards: [0, 1] });
  const node = new StoppableNode({ pages: pages.slice(8), allPages: pages, shards: [2] });
  const config = { timeoutMs: TIMEOUT_MS, viewMaxAgeMs };
  const broker = createBroker({ nodes: [well, node], analyser: plainAnalyser, clock, config });
  return { clock, node, broker };
};

/** Turns the clock by a millisecond whenever nothing else happens, until the work is done; returns how far it turned. */
const turnUntil = async <Result>(clock: HandClock, work: Promise<Result>): Promise<[Result, number]> => {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  // It may end while the clock is being turned.
  done.catch(() => undefined);
  const startMs = clock.monotonicMs();
  for (;;) {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    if (isDone) return [await done, clock.monotonicMs() - startMs];
    clock.advance(1);
  }
};

const ask = (broker: ReturnType<typeof createBroker>): Promise<Answer> =>
  broker.search({ q: 'apple', k: 20 });
const MISSING = [{ shard: 2, status: 'timedOut' }];

test('a node that hangs costs one query its time at most, the next ones none, and comes back by itself', async () => {
  const { clock, node, broker } = start(5000);
  assert.deepEqual((await ask(broker)).missing, []);
  node.stop();
  clock.advance(5001);
  const [first, tookMs] = await turnUntil(clock, ask(broker));
  assert.deepEqual([first.missing, first.partial, first.hits.length], [MISSING, true, 8]);
  assert.ok(tookMs <= TIMEOUT_MS, `${tookMs} ms`);

  const asked = node.searchCount;
  for (let round = 0; round < 3; round += 1) {
    const [answer, waitedMs] = await turnUntil(clock, ask(broker));
    assert.deepEqual([answer.missing, answer.coverage, waitedMs], [MISSING, { docs: 8, total: 12 }, 0]);
    clock.advance(2000);
  }
  assert.equal(node.searchCount, asked, 'nothing piles up at a silent node');
  assert.ok(node.statusCount <= 3, 'it is asked one thing at a time');
  const [page] = await turnUntil(clock, broker.page('http://a.test/1'));
  assert.equal(page?.url, 'http://a.test/1');
  const [{ nodes }] = await turnUntil(clock, broker.overview());
  assert.match(nodes[1]?.error ?? '', /no status within/);

  node.goOn();
  await nextTurn();
  const [whole] = await turnUntil(clock, ask(broker));
  assert.deepEqual([whole.missing, whole.hits.length], [[], 12]);
});

test('a node that begins to hang under an old view is noticed by the query that it was late for', async () => {
  const { clock, node, broker } = start(3_600_000);
  await ask(broker);
  node.stop();
  const [first, firstMs] = await turnUntil(clock, broker.search({ q: 'apple', k: 21 }));
  assert.deepEqual([first.missing, firstMs], [MISSING, TIMEOUT_MS]);
  const [second, secondMs] = await turnUntil(clock, broker.search({ q: 'apple', k: 21 }));
  assert.deepEqual(second.missing, MISSING);
  assert.ok(secondMs <= TIMEOUT_MS / 2);
  const [third, thirdMs] = await turnUntil(clock, broker.search({ q: 'apple', k: 21 }));
  assert.deepEqual([third.missing, thirdMs], [MISSING, 0]);
  node.goOn();
  await nextTurn();
  assert.deepEqual((await ask(broker)).missing, []);
});

test('when all nodes are silent they are asked all the same', async () => {
  const clock = new HandClock();
  const node = new StoppableNode({ pages });
  const config = { timeoutMs: TIMEOUT_MS, viewMaxAgeMs: 0 };
  const broker = createBroker({ nodes: [node], analyser: plainAnalyser, clock, config });
  await ask(broker);
  clock.advance(1);
  node.stop();
  const late = turnUntil(clock, broker.search({ q: 'apple', k: 22 }));
  await assert.rejects(late, { code: 'QUERY_NO_SHARD' });
  assert.equal(node.searchCount, 2);
});
