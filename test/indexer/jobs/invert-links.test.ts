import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type AnchorLimits, collectInLinks, type InLinks } from '../../../indexer/jobs/collect-in-links.ts';
import { invertLinks, MAX_ANCHOR_CHARS } from '../../../indexer/jobs/invert-links.ts';
import type { LatestPage } from '../../../indexer/jobs/latest-records.ts';
import { runJob } from '../../../indexer/mapreduce/run-job.ts';
import { hostOfUrl, type NormalUrl, segmentOrderKey, trustNormalUrl } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { pageOf } from '../archive/page-records.ts';

const LIMITS: AnchorLimits = { anchorsPerTarget: 4, ownSiteAnchorsPerTarget: 2, ownSiteLinkPercent: 25 };

type Link = readonly [url: string, anchor: string, rel?: string];

const page = (url: string, links: readonly Link[], nofollow = false): LatestPage => ({
  ...pageOf(url, 'x', {
    links: links.map(([to, anchor, rel = '']) => ({ url: trustNormalUrl(to), anchor, rel })),
    robots: { noindex: false, nofollow, noarchive: false },
  }),
  bytes: 0,
});

const inLinksOf = async (
  context: TestContext,
  pages: readonly LatestPage[],
  aliases: ReadonlyMap<string, string> = new Map(),
  memoryBytes = 1 << 20,
): Promise<InLinks[]> => {
  const resolve = (url: NormalUrl): NormalUrl => trustNormalUrl(aliases.get(url) ?? url);
  const scratchFolder = join(await tempFolder(context), 'scratch');
  const rows = runJob(invertLinks(resolve), pages, { scratchFolder, memoryBytes });
  const all: InLinks[] = [];
  for await (const entry of collectInLinks(rows, LIMITS)) all.push(entry);
  return all;
};

test('pages are counted, not links; own and other hosts apart', async (context) => {
  const pages = [
    page('http://a.test/1', [
      ['http://a.test/', 'Home'],
      ['http://a.test/', 'Start'],
      ['http://a.test/', 'Home'],
    ]),
    page('http://a.test/2', [['http://a.test/', 'Home']]),
    page('http://b.test/', [
      ['http://a.test/', 'A'],
      ['http://a.test/', ''],
    ]),
  ];
  assert.deepEqual(await inLinksOf(context, pages), [
    {
      target: 'http://a.test/',
      ownPages: 2,
      otherPages: 1,
      anchors: [
        { text: 'A', weight: 1 },
        { text: 'Home', weight: 0.5 },
        { text: 'Start', weight: 0.25 },
      ],
    },
  ]);
});

test('links to oneself, also under another name, and links without weight count nothing', async (context) => {
  const pages = [
    page('http://a.test/', [
      ['http://a.test/', 'me'],
      ['http://a.test/alias', 'me too'],
      ['http://b.test/', 'x', 'nofollow'],
      ['http://b.test/', 'x', 'noopener ugc'],
      ['http://b.test/', 'x', 'sponsored'],
    ]),
    page('http://c.test/', [['http://b.test/', 'x']], true),
  ];
  assert.deepEqual(await inLinksOf(context, pages, new Map([['http://a.test/alias', 'http://a.test/']])), []);
});

test('a link to an alias counts for the document, once per page', async (context) => {
  const pages = [
    page('http://b.test/', [
      ['http://a.test/old', 'old name'],
      ['http://a.test/', 'name'],
    ]),
  ];
  const aliases = new Map([['http://a.test/old', 'http://a.test/']]);
  assert.deepEqual(await inLinksOf(context, pages, aliases), [
    {
      target: 'http://a.test/',
      ownPages: 0,
      otherPages: 1,
      anchors: [
        { text: 'name', weight: 1 },
        { text: 'old name', weight: 1 },
      ],
    },
  ]);
});

test('anchors are cut to their limits: own ones to fewer, the rare ones first', async (context) => {
  const pages = [
    page(
      'http://a.test/1',
      ['o1', 'o2', 'o3'].map((anchor) => ['http://a.test/', anchor]),
    ),
    page(
      'http://b.test/1',
      ['p1', 'p2', 'p3', 'p4', 'p5'].map((anchor) => ['http://a.test/', anchor]),
    ),
    page('http://b.test/2', [['http://a.test/', 'p5']]),
    page('http://b.test/3', [['http://c.test/', 'x'.repeat(MAX_ANCHOR_CHARS - 1) + '\u{1f600}']]),
  ];
  const [first, second] = await inLinksOf(context, pages);
  assert.deepEqual(
    first?.anchors.map(({ text }) => text),
    ['p5', 'p1', 'p2', 'p3'],
  );
  assert.equal(second?.anchors[0]?.text, 'x'.repeat(MAX_ANCHOR_CHARS - 1));
  const [few] = await inLinksOf(context, pages.slice(0, 1));
  assert.deepEqual(
    few?.anchors.map(({ text }) => text),
    ['o1', 'o2'],
  );
});

test('equal to counting in memory, whatever the order of pages and the budget', async (context) => {
  const url = fc
    .tuple(fc.constantFrom('a', 'b', 'b.a'), fc.nat({ max: 4 }), fc.constantFrom('http', 'https'))
    .map(([host, path, scheme]) => `${scheme}://${host}.test/${path}`);
  const links = fc.array(fc.tuple(url, fc.constantFrom('', 'x', 'y', 'z')), { maxLength: 8 });
  const pages = fc.uniqueArray(fc.tuple(url, links), { maxLength: 12, selector: ([from]) => from });
  await fc.assert(
    fc.asyncProperty(pages, fc.constantFrom(1, 1 << 20), async (list, memoryBytes) => {
      const records = list.map(([from, to]) => page(from, to));
      const counts = new Map<string, { own: Set<string>; other: Set<string> }>();
      for (const { url: from, links: to } of records) {
        for (const { url: target } of to) {
          if (target === from) continue;
          const entry = counts.get(target) ?? { own: new Set<string>(), other: new Set<string>() };
          (hostOfUrl(target) === hostOfUrl(from) ? entry.own : entry.other).add(from);
          counts.set(target, entry);
        }
      }
      const expected = [...counts]
        .map(([target, { own, other }]) => [target, own.size, other.size] as const)
        .sort(([a], [b]) =>
          segmentOrderKey(trustNormalUrl(a)) < segmentOrderKey(trustNormalUrl(b)) ? -1 : 1,
        );
      const found = await inLinksOf(context, records, new Map(), memoryBytes);
      assert.deepEqual(
        found.map(({ target, ownPages, otherPages }) => [target, ownPages, otherPages]),
        expected,
      );
      assert.deepEqual(await inLinksOf(context, records.reverse(), new Map(), memoryBytes), found);
    }),
    { numRuns: 40 },
  );
});
