import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeHostRow, encodeHostRow } from '../../../crawler/frontier/host-row.ts';
import { CrawlStore } from '../../../crawler/frontier/store.ts';
import {
  parseQueueKey,
  partitionOf,
  queueKey,
  urlFingerprint,
} from '../../../crawler/frontier/store-keys.ts';
import {
  decodeUrlRecord,
  encodeUrlRecord,
  newUrlRecord,
  URL_STATUSES,
} from '../../../crawler/frontier/url-record.ts';
import { trustHostKey, trustNormalUrl } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const A = trustNormalUrl('http://a.test/');

describe('crawl store', () => {
  it('reads its writes at once by key, in scans after the commit, and after opening again', async (context) => {
    const folder = await tempFolder(context);
    const store = CrawlStore.open(folder);
    const fingerprint = urlFingerprint(A);
    store.putUrl(fingerprint, newUrlRecord(A, { depth: 3 }));
    assert.equal(store.url(fingerprint)?.depth, 3);
    assert.equal([...store.urls()].length, 0);
    await store.commit();
    assert.deepEqual([...store.fingerprints()], [fingerprint]);
    store.putUrl(fingerprint, newUrlRecord(A, { depth: 4 }));
    assert.equal(store.url(fingerprint)?.depth, 4);
    await store.commit();
    store.putUrl(fingerprint, newUrlRecord(A, { depth: 5 }));
    await store.close();
    const again = CrawlStore.open(folder, { readOnly: true });
    assert.equal(again.url(fingerprint)?.depth, 4);
    assert.equal(again.urlCount, 1);
    await again.close();
  });

  it('runs what must come before a transaction after it is sealed: later writes are not in it', async (context) => {
    const folder = await tempFolder(context);
    const store = CrawlStore.open(folder);
    context.after(() => store.close());
    store.putMeta('early', 1);
    const commit = store.commit(async () => {
      store.putMeta('late', 2);
      await Promise.resolve();
    });
    await commit;
    const copy = await tempFolder(context);
    await store.copyTo(copy);
    const read = CrawlStore.open(copy, { readOnly: true });
    assert.equal(read.meta('early'), 1);
    assert.equal(read.meta('late'), undefined);
    assert.equal(store.meta('late'), 2);
    await read.close();
  });

  it('commits nothing when what must come before fails', async (context) => {
    const folder = await tempFolder(context);
    const store = CrawlStore.open(folder);
    store.putMeta('x', 1);
    await assert.rejects(
      store.commit(() => Promise.reject(new Error('disk'))),
      /disk/,
    );
    const copy = await tempFolder(context);
    await store.copyTo(copy);
    const read = CrawlStore.open(copy, { readOnly: true });
    assert.equal(read.meta('x'), undefined);
    await read.close();
    await store.close();
  });

  it('refuses a folder without a crawl and one of another version', async (context) => {
    const folder = await tempFolder(context);
    assert.throws(() => CrawlStore.open(folder, { readOnly: true }), { code: 'CRAWL_STORE_MISSING' });
    for (const [version, code] of [
      [2, 'CRAWL_STORE_TOO_NEW'],
      [0, 'CRAWL_STORE_TOO_OLD'],
    ] as const) {
      const store = CrawlStore.open(folder);
      store.putMeta('format', { name: 'quarry-crawl', version });
      await store.commit();
      await store.close();
      assert.throws(() => CrawlStore.open(folder), { code });
      CrawlStore.discard(folder);
    }
  });

  it('keeps all keys of a registrable domain in one partition', () => {
    assert.equal(partitionOf('www.example.org'), partitionOf('docs.example.org'));
    assert.notEqual(partitionOf('a.github.io'), partitionOf('b.github.io'), 'private suffixes count');
    const fingerprint = urlFingerprint(trustNormalUrl('http://docs.example.org:8080/x?y'));
    assert.equal(Number(fingerprint >> 56n), partitionOf('example.org'));
  });

  it('orders queue keys by host, level, discovery', () => {
    const part = fc.record({
      host: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      level: fc.nat(7),
      seq: fc.nat(2 ** 48 - 1),
    });
    fc.assert(
      fc.property(part, part, (a, b) => {
        assert.deepEqual(parseQueueKey(queueKey(a)), { ...a });
        const expected =
          a.host === b.host ? Math.sign(a.level - b.level || a.seq - b.seq) : a.host < b.host ? -1 : 1;
        assert.equal(Math.sign(Buffer.compare(queueKey(a), queueKey(b))), expected);
      }),
    );
  });
});

describe('rows of the crawl store', () => {
  it('bring back URL records', () => {
    const text = fc.string({ unit: 'grapheme' });
    const record = fc.record({
      status: fc.constantFrom(...URL_STATUSES),
      reason: text,
      depth: fc.nat(),
      level: fc.nat(7),
      score: fc.double({ min: 0, max: 1, noNaN: true }).map((score) => score + 0),
      fetchedAtMs: fc.maxSafeNat(),
      etag: text,
      title: text,
      hops: fc.array(text.map(trustNormalUrl)),
      seed: fc.boolean(),
    });
    fc.assert(
      fc.property(record, (known) => {
        const whole = newUrlRecord(A, known);
        assert.deepEqual(decodeUrlRecord(encodeUrlRecord(whole)), whole);
      }),
    );
  });

  it('give defaults for fields that an older writer did not know', () => {
    // [url, status 1, reason] in MessagePack.
    const old = Buffer.from([0x93, 0xae, ...Buffer.from('http://a.test/'), 0x01, 0xa1, 0x78]);
    assert.deepEqual(decodeUrlRecord(old), newUrlRecord(A, { status: 'fetched', reason: 'x' }));
  });

  it('bring back host rows', () => {
    const row = {
      host: trustHostKey('a.test'),
      notBeforeMs: 1796073691253,
      fetchMs: 12.5,
      crawlDelayMs: 1000,
      failures: 2,
      answers: 7,
    };
    assert.deepEqual(decodeHostRow(encodeHostRow(row)), row);
  });
});
