import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RobotsResponse, RobotsRow } from '../../../crawler/index.ts';
import {
  isAllowed,
  isFresh,
  normaliseUrl,
  RobotsCache,
  robotsFromResponse,
  sitemapsOf,
} from '../../../crawler/index.ts';
import type { NormalUrl } from '../../../shards/index.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const origin = 'http://h.test:8080';
const page = normaliseUrl(`${origin}/x/y`) as NormalUrl;

const response = (status: number, nowMs: number, more: Partial<RobotsResponse> = {}): RobotsResponse => ({
  origin,
  status,
  nowMs,
  body: new Uint8Array(),
  headers: {},
  ...more,
});
const file = (text: string) => ({ body: Buffer.from(text) });
const verdict = (row: RobotsRow, nowMs: number) => {
  const { allowed, source } = isAllowed(row, 'quarry', page, nowMs);
  return `${allowed} ${source}`;
};

test('robots cache: 200 is obeyed, 4xx and left-over redirects allow, 429, 5xx and silence forbid', () => {
  const rules = robotsFromResponse(
    response(200, 0, file('User-agent: *\nDisallow: /x\nCrawl-delay: 3\nSitemap: http://s/')),
  );
  assert.deepEqual(isAllowed(rules, 'quarry', page, 0), {
    allowed: false,
    rule: 'Disallow: /x',
    line: 2,
    crawlDelayS: 3,
    source: 'rules',
  });
  assert.deepEqual(sitemapsOf(rules), ['http://s/']);
  for (const status of [404, 410, 401, 403, 301, 204]) {
    assert.equal(verdict(robotsFromResponse(response(status, 0)), 0), 'true none', String(status));
  }
  for (const status of [0, 429, 500, 503]) {
    assert.equal(verdict(robotsFromResponse(response(status, 0)), 0), 'false unreachable', String(status));
  }
});

test('robots cache: fresh for a day, or for max-age from an hour to a day', () => {
  const freshMs = (cacheControl: string): number =>
    robotsFromResponse(response(200, 5, { headers: { 'cache-control': cacheControl } })).freshUntilMs - 5;
  assert.equal(freshMs(''), DAY_MS);
  assert.equal(freshMs('public, max-age=7200'), 2 * HOUR_MS);
  assert.equal(freshMs('max-age=1'), HOUR_MS);
  assert.equal(freshMs('max-age=9999999'), DAY_MS);
  const row = robotsFromResponse(response(404, 0));
  assert.equal(isFresh(row, DAY_MS - 1), true);
  assert.equal(isFresh(row, DAY_MS), false);
});

test('robots cache: the last good copy serves while the server fails, for 30 days', () => {
  const good = robotsFromResponse(
    response(200, 0, { ...file('User-agent: *\nDisallow: /x'), headers: { etag: '"1"' } }),
  );
  const failing = robotsFromResponse(response(503, DAY_MS), good);
  assert.equal(failing.etag, '"1"');
  assert.equal(verdict(failing, DAY_MS), 'false old-copy');
  const later = robotsFromResponse(response(0, 20 * DAY_MS), failing);
  assert.equal(later.failingSinceMs, DAY_MS);
  assert.equal(verdict(later, 31 * DAY_MS - 1), 'false old-copy');
  assert.equal(verdict(later, 31 * DAY_MS), 'true unreachable-30-days');
  const gone = robotsFromResponse(response(404, 21 * DAY_MS), later);
  assert.equal(gone.body, undefined);
  assert.equal(verdict(gone, 21 * DAY_MS), 'true none');
});

test('robots cache: without a copy everything is forbidden for 30 days, but for the file itself', () => {
  const row = robotsFromResponse(response(0, 0));
  assert.equal(verdict(row, 30 * DAY_MS - 1), 'false unreachable');
  assert.equal(verdict(row, 30 * DAY_MS), 'true unreachable-30-days');
  assert.equal(isAllowed(row, 'quarry', `${origin}/robots.txt` as NormalUrl, 0).allowed, true);
});

test('robots cache: failures are asked again after 5 minutes, doubled up to 6 hours', () => {
  const waits: number[] = [];
  let row: RobotsRow | undefined;
  for (let failure = 0; failure < 9; failure++) {
    row = robotsFromResponse(response(500, 0), row);
    waits.push(row.freshUntilMs / MINUTE_MS);
  }
  assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, 320, 360, 360]);
});

test('robots cache: 304 renews the copy', () => {
  const good = robotsFromResponse(
    response(200, 0, { ...file('User-agent: *\nDisallow: /x'), headers: { etag: '"1"' } }),
  );
  const renewed = robotsFromResponse(response(304, DAY_MS), good);
  assert.equal(verdict(renewed, DAY_MS), 'false rules');
  assert.equal(renewed.freshUntilMs, 2 * DAY_MS);
  assert.equal(renewed.etag, '"1"');
});

test('robots cache: rows go through a store and are plain data', () => {
  const rows = new Map<string, RobotsRow>();
  const store = {
    get: (key: string) => rows.get(key),
    put: (row: RobotsRow) => void rows.set(row.origin, structuredClone(row)),
  };
  const cache = new RobotsCache(store, 1);
  assert.equal(cache.get(page), undefined);
  const row = cache.update(response(200, 0, file('User-agent: *\nDisallow: /x')));
  assert.equal(cache.get(page), row);
  cache.update(response(404, 0, { origin: 'http://other.test' }));
  const read = cache.get(page);
  assert.notEqual(read, row);
  assert.equal(read === undefined ? '' : verdict(read, 0), 'false rules');
  assert.equal(cache.get(normaliseUrl('https://h.test:8080/') as NormalUrl), undefined);
});
