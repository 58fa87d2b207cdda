import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareCandidates } from '../../../indexer/jobs/elect-duplicates.ts';
import type { LatestPage } from '../../../indexer/jobs/latest-records.ts';
import { sketchOf } from '../../../indexer/jobs/page-sketch.ts';
import { idUrl, trustNormalUrl } from '../../../shards/index.ts';
import { goneOf, pageOf, redirectOf } from '../archive/page-records.ts';

test('kept: https, then the shorter, then the smaller URL', () => {
  const rising = [
    'https://a.test/',
    'https://b.test/',
    'https://a.test/long/path',
    'http://a.test/',
    'http://a.test/B',
    'http://a.test/a',
    'http://a.test/index.html',
  ].map(trustNormalUrl);
  const shuffled = [6, 2, 4, 0, 5, 1, 3].map((index) => rising[index] ?? trustNormalUrl(''));
  assert.deepEqual(shuffled.sort(compareCandidates), rising);
});

const latest = (page: ReturnType<typeof pageOf>): LatestPage => ({ ...page, bytes: 0 });

test('what becomes a document, and what is a duplicate of nothing', () => {
  const page = latest(pageOf('http://a.test/'));
  assert.deepEqual(sketchOf(page), { kind: 'document', url: page.url, textHash: page.textHash });
  const empty = latest(pageOf('http://a.test/', '', { title: '' }));
  assert.deepEqual(sketchOf(empty), { kind: 'document', url: empty.url, textHash: '' });
  const imported = latest(pageOf(idUrl('7')));
  assert.deepEqual(sketchOf(imported), { kind: 'document', url: 'id:7', textHash: '' });
  const hidden = { noindex: true, nofollow: false, noarchive: false };
  assert.equal(sketchOf(latest(pageOf('http://a.test/', 'x', { robots: hidden }))), undefined);
  assert.equal(sketchOf(latest(pageOf('http://a.test/', 'x', { type: 'image/png' }))), undefined);
  assert.equal(sketchOf(goneOf('http://a.test/')), undefined);
  assert.deepEqual(sketchOf(redirectOf('http://a.test/x', 'http://a.test/')), {
    kind: 'redirect',
    url: 'http://a.test/x',
    target: 'http://a.test/',
  });
});
