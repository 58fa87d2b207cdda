import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newUrlRecord, type UrlRecord } from '../../crawler/frontier/url-record.ts';
import { parseSeeds, Seeds } from '../../crawler/seeds.ts';
import { trustNormalUrl } from '../../shards/index.ts';

const settled = (url: string, known: Partial<UrlRecord>): UrlRecord =>
  newUrlRecord(trustNormalUrl(url), known);

describe('seeds', () => {
  it('are URLs, or hosts for which https is tried before http', () => {
    const candidates = parseSeeds(['http://A.test', ' b.test/x ', 'localhost:8080', '', '127.0.0.1:80/']).map(
      (seed) => seed.candidates,
    );
    assert.deepEqual(candidates, [
      ['http://a.test/'],
      ['https://b.test/x', 'http://b.test/x'],
      ['https://localhost:8080/', 'http://localhost:8080/'],
      ['https://127.0.0.1:80/', 'http://127.0.0.1/'],
    ]);
  });

  it('fail only when every scheme and every redirect has failed', () => {
    const seeds = new Seeds(parseSeeds(['a.test']));
    const refused = { status: 'failed', reason: 'connect-refused' } as const;
    assert.deepEqual(seeds.settled(settled('https://a.test/', refused)), { next: 'http://a.test/' });
    assert.equal(seeds.error(), undefined);
    seeds.settled(settled('http://a.test/', { status: 'redirected', redirectTo: 'http://www.a.test/' }));
    assert.equal(seeds.error(), undefined);
    const { failed } = seeds.settled(settled('http://www.a.test/', { status: 'gone', reason: 'http 404' }));
    assert.equal(failed?.text, 'a.test');
    assert.equal(seeds.error()?.code, 'CRAWL_SEED_UNREACHABLE');
  });

  it('do not try http when https has answered', () => {
    const seeds = new Seeds(parseSeeds(['a.test']));
    const outcome = seeds.settled(
      settled('https://a.test/', { status: 'gone', httpStatus: 404, reason: 'http 404' }),
    );
    assert.equal(outcome.next, undefined);
    assert.ok(outcome.failed);
  });

  it('are no error while one of them works', () => {
    const seeds = new Seeds(parseSeeds(['http://a.test', 'http://b.test']));
    seeds.settled(settled('http://a.test/', { status: 'failed', reason: 'dns-not-found' }));
    seeds.settled(settled('http://b.test/', { status: 'fetched' }));
    assert.equal(seeds.error(), undefined);
  });
});
