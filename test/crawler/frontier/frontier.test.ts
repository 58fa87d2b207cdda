import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Frontier, type FrontierOptions, type Turn } from '../../../crawler/frontier/frontier.ts';
import { CrawlStore } from '../../../crawler/frontier/store.ts';
import { newUrlRecord } from '../../../crawler/frontier/url-record.ts';
import { type HostKey, trustNormalUrl } from '../../../shards/index.ts';
import { HandClock } from '../../helpers/hand-clock.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const url = (host: string, path: string) => trustNormalUrl(`http://${host}/${path}`);

interface Fixture {
  readonly frontier: Frontier;
  readonly store: CrawlStore;
  readonly clock: HandClock;
  readonly add: (host: string, path: string, level?: number) => void;
  /** Makes the rows durable, as a commit of the crawl does. */
  readonly commit: () => Promise<void>;
}

const ADDRESSES: Readonly<Record<string, string>> = { 'a.test': '1', 'b.test': '2', 'c.test': '2' };

const open = async (folder: string, options: Partial<FrontierOptions> = {}): Promise<Fixture> => {
  const store = CrawlStore.open(folder);
  const clock = new HandClock();
  const frontier = new Frontier({
    store,
    clock,
    random: () => 0.5,
    settings: { delayMs: 1000, politeness: 10 },
    resolve: (host: HostKey) => Promise.resolve(ADDRESSES[host] ?? '9'),
    onUnresolved: () => undefined,
    onChange: () => undefined,
    ...options,
  });
  const commit = async (): Promise<void> => {
    const acked = frontier.beginCommit();
    await store.commit();
    frontier.endCommit(acked);
  };
  const add = (host: string, path: string, level = 0): void =>
    frontier.add(newUrlRecord(url(host, path), { level }));
  return { frontier, store, clock, add, commit };
};

const fixture = async (context: TestContext, options: Partial<FrontierOptions> = {}): Promise<Fixture> => {
  const made = await open(await tempFolder(context), options);
  context.after(() => made.store.close());
  return made;
};

/** Ends a turn whose fetch took `fetchMs` on the hand-turned clock. */
const finish = ({ frontier, clock }: Fixture, taken: Turn, fetchMs: number): void => {
  clock.advance(fetchMs);
  taken.entry.record.status = 'fetched';
  frontier.rest(taken, { endedAtMs: clock.monotonicMs(), fetchMs });
  frontier.settle(taken);
};

/** Asks twice: the first time a host comes up, its address is looked up. */
const take = async ({ frontier, clock }: Fixture): Promise<Turn | undefined> => {
  const taken = frontier.take(clock.monotonicMs());
  if (taken !== undefined) return taken;
  await turn();
  return frontier.take(clock.monotonicMs());
};
const urlOf = (taken: Turn | undefined): string | undefined => taken?.entry.record.url;

describe('frontier', () => {
  it('holds a host back from the end of the answer, ten times as long as the fetch took', async (context) => {
    const made = await fixture(context);
    made.add('a.test', '1');
    made.add('a.test', '2');
    const first = await take(made);
    assert.equal(urlOf(first), 'http://a.test/1');
    assert.equal(await take(made), undefined, 'one connection at a time to a host');
    finish(made, first as Turn, 300);
    made.clock.advance(3024);
    assert.equal(await take(made), undefined);
    made.clock.advance(1);
    assert.equal(urlOf(await take(made)), 'http://a.test/2');
    made.frontier.checkConsistent();
  });

  it('keeps hosts of one address a quarter of the delay apart', async (context) => {
    const made = await fixture(context);
    made.add('b.test', '1');
    made.add('c.test', '1');
    const first = (await take(made)) as Turn;
    assert.equal(await take(made), undefined);
    finish(made, first, 10);
    made.clock.advance(249);
    assert.equal(await take(made), undefined);
    made.clock.advance(1);
    assert.equal(urlOf(await take(made)), 'http://c.test/1');
  });

  it('lifts every gap and the rule of one connection when delay and politeness are 0', async (context) => {
    const made = await fixture(context, { settings: { delayMs: 0, politeness: 0 } });
    for (const path of ['1', '2', '3']) made.add('a.test', path);
    assert.deepEqual([await take(made), await take(made), await take(made)].map(urlOf), [
      'http://a.test/1',
      'http://a.test/2',
      'http://a.test/3',
    ]);
    assert.equal(await take(made), undefined);
  });

  it('reclaims what was leased when the process died, and not what was acknowledged', async (context) => {
    const folder = await tempFolder(context);
    const before = await open(folder, { settings: { delayMs: 0, politeness: 0 } });
    for (const path of ['1', '2', '3', '4']) before.add('a.test', path);
    await before.commit();
    const done = (await take(before)) as Turn;
    finish(before, done, 1);
    await before.commit();
    const leased = (await take(before)) as Turn;
    const settledTooLate = (await take(before)) as Turn;
    finish(before, settledTooLate, 1);
    assert.equal(urlOf(leased), 'http://a.test/2');
    // As a killed process leaves it: what was not committed is gone.
    const copy = await tempFolder(context);
    await before.store.copyTo(copy);
    await before.store.close();

    const after = await open(copy, { settings: { delayMs: 0, politeness: 0 } });
    context.after(() => after.store.close());
    assert.equal(after.frontier.size, 3);
    after.clock.advance(10);
    const again = [await take(after), await take(after), await take(after), await take(after)].map(urlOf);
    assert.deepEqual(again, ['http://a.test/2', 'http://a.test/3', 'http://a.test/4', undefined]);
    after.frontier.checkConsistent();
  });

  it('keeps a bounded number of URLs in memory and brings the rest back from the store, each once', async (context) => {
    const made = await fixture(context);
    const count = 300;
    for (let index = 0; index < count; index += 1) made.add('a.test', String(index), index % 3);
    assert.equal(made.frontier.pendingCount, count);
    const asked: string[] = [];
    for (let index = 0; index < count; index += 1) {
      made.clock.advance(2000);
      let taken = await take(made);
      if (taken === undefined) {
        assert.equal(made.frontier.isAwaitingCommit, true);
        await made.commit();
        taken = await take(made);
      }
      assert.ok(made.frontier.queueOf(url('a.test', '')).readyCount <= 64);
      asked.push(urlOf(taken) ?? '');
      finish(made, taken as Turn, 1);
      made.frontier.checkConsistent();
    }
    assert.equal(new Set(asked).size, count);
    assert.equal(made.frontier.size, 0);
  });

  it('asks a URL again when its own wait is over, others meanwhile', async (context) => {
    const made = await fixture(context, { settings: { delayMs: 0, politeness: 1 } });
    made.add('a.test', '1');
    made.add('a.test', '2');
    const first = (await take(made)) as Turn;
    made.frontier.rest(first, { endedAtMs: made.clock.monotonicMs(), fetchMs: 1 });
    made.frontier.retry(first, 5000);
    made.clock.advance(30);
    const second = (await take(made)) as Turn;
    assert.equal(urlOf(second), 'http://a.test/2');
    finish(made, second, 1);
    made.add('a.test', '3');
    made.clock.advance(30);
    assert.equal(urlOf(await take(made)), 'http://a.test/3', 'a new URL does not wait for the delayed one');
    made.frontier.checkConsistent();
  });

  it('does not contact a blocked host, and says when it will', async (context) => {
    const made = await fixture(context);
    made.add('a.test', '1');
    made.frontier.block(made.frontier.queueOf(url('a.test', '')), made.clock.monotonicMs() + 60_000);
    assert.equal(await take(made), undefined);
    assert.equal(made.frontier.nextDueMs(), made.clock.monotonicMs() + 60_000);
    made.clock.advance(60_000);
    assert.equal(urlOf(await take(made)), 'http://a.test/1');
  });

  it('remembers over a restart how long a host must be left alone', async (context) => {
    const folder = await tempFolder(context);
    const before = await open(folder);
    before.add('a.test', '1');
    before.frontier.block(before.frontier.queueOf(url('a.test', '')), before.clock.monotonicMs() + 60_000);
    await before.commit();
    await before.store.close();
    const after = await open(folder);
    context.after(() => after.store.close());
    after.clock.advance(59_999);
    assert.equal(await take(after), undefined);
    after.clock.advance(1);
    assert.equal(urlOf(await take(after)), 'http://a.test/1');
  });

  it('hands out all URLs of a host that is given up, at once and without an address', async (context) => {
    const failed: string[] = [];
    const made = await fixture(context, {
      resolve: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
      onUnresolved: (queue) => failed.push(queue.host),
    });
    made.add('x.test', '1');
    made.add('x.test', '2');
    assert.equal(await take(made), undefined);
    assert.deepEqual(failed, ['x.test']);
    made.frontier.giveUp(made.frontier.queueOf(url('x.test', '')), 'dns-not-found');
    const taken: (string | undefined)[] = [];
    for (let next = await take(made); next !== undefined; next = await take(made)) {
      taken.push(urlOf(next));
      made.frontier.rest(next);
      made.frontier.settle(next);
    }
    assert.deepEqual(taken, ['http://x.test/1', 'http://x.test/2']);
    assert.equal(made.frontier.size, 0);
  });

  it('visits another host out of turn only within its politeness', async (context) => {
    const made = await fixture(context);
    made.add('b.test', '1');
    const taken = (await take(made)) as Turn;
    assert.deepEqual(
      made.frontier.visit('b.test' as HostKey),
      { waitMs: 100 },
      'it has a connection already',
    );
    finish(made, taken, 10);
    assert.deepEqual(made.frontier.visit('b.test' as HostKey), { waitMs: 1025 });
    made.clock.advance(1025);
    const visit = made.frontier.visit('b.test' as HostKey);
    assert.ok('queue' in visit);
    made.frontier.endVisit(visit.queue, { endedAtMs: made.clock.monotonicMs(), fetchMs: 5 });
    assert.deepEqual(made.frontier.visit('b.test' as HostKey), { waitMs: 1025 });
  });
});
