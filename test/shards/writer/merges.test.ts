import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { biwordKey } from '../../../shards/postings/biwords.ts';
import { DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS, type WeightTable } from '../../../shards/score/weights.ts';
import type { GenerationInfo } from '../../../shards/segment/current.ts';
import { shardFolder } from '../../../shards/segment/current.ts';
import { openGeneration } from '../../../shards/segment/generation.ts';
import { readManifest, type SegmentEntry } from '../../../shards/segment/manifest.ts';
import { verifyGeneration } from '../../../shards/segment/verify-generation.ts';
import { trustNormalUrl } from '../../../shards/values/ids.ts';
import { openIndexWriter, type WriterOptions } from '../../../shards/writer/index-writer.ts';
import { runMergeJob } from '../../../shards/writer/merge-job.ts';
import { MERGE_LIMITS } from '../../../shards/writer/merge-policy.ts';
import type { StartMerge } from '../../../shards/writer/start-merge.ts';
import { WrittenSegment } from '../../../shards/writer/written-segment.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const urlOf = (number: number) => trustNormalUrl(`http://h${number % 3}.example/${number}`);
const documentOf = (number: number, text: string) =>
  indexDocument(urlOf(number), { fields: [{ field: 'body', text }], storedText: text });

/** Merges in this thread, which wait until the gate is opened. */
const gatedMerges = () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const start: StartMerge = (job) => {
    return { done: gate.then(() => runMergeJob(job)), stop: async () => undefined };
  };
  return { start, open: () => open() };
};

const optionsOf = (folder: string): WriterOptions => ({
  folder,
  shardCount: 1,
  analyser: 'default',
  mergeLimits: { ...MERGE_LIMITS, fanIn: 3 },
});

const textsOf = async (
  folder: string,
): Promise<{ readonly texts: string[]; readonly segmentCount: number }> => {
  const open = await openGeneration(folder);
  try {
    const segments = open.shards.flat();
    const texts = segments.flatMap((segment) =>
      Array.from({ length: segment.docCount }, (_, doc) => doc)
        .filter((doc) => segment.deletes?.has(doc) !== true)
        .map((doc) => `${segment.stored(doc).url} ${segment.stored(doc).text}`),
    );
    return { texts: texts.sort(), segmentCount: segments.length };
  } finally {
    open.close();
  }
};

const expected = (texts: Readonly<Record<number, string>>): string[] =>
  Object.entries(texts)
    .map(([number, text]) => `${urlOf(Number(number))} ${text}`)
    .sort();

/** Three segments of two documents each; the third commit has begun a merge of them. */
const threeSegments = async (context: TestContext) => {
  const folder = await tempFolder(context);
  const merges = gatedMerges();
  const writer = await openIndexWriter({ ...optionsOf(folder), startMerge: merges.start });
  context.after(() => writer.close());
  let info: GenerationInfo | undefined;
  for (let round = 0; round < 3; round += 1) {
    for (const number of [round * 2, round * 2 + 1]) await writer.add(documentOf(number, `round ${round}`));
    info = await writer.commit();
  }
  return { folder, writer, merges, info };
};

test('what is deleted and added while a merge runs holds when it ends', async (context) => {
  const { folder, writer, merges } = await threeSegments(context);
  await writer.update(documentOf(0, 'while merging'));
  await writer.remove(urlOf(3));
  await writer.commit();
  await writer.update(documentOf(4, 'not yet committed'));
  merges.open();
  const { docCount } = await writer.settle();
  assert.equal(docCount, 5);
  const { texts, segmentCount } = await textsOf(folder);
  assert.deepEqual(
    texts,
    expected({ 0: 'while merging', 1: 'round 0', 2: 'round 1', 4: 'not yet committed', 5: 'round 2' }),
  );
  assert.equal(segmentCount, 1);
  await verifyGeneration(folder);
});

test('a segment that loses its last document while it is merged does not bring it back', async (context) => {
  const { folder, writer, merges } = await threeSegments(context);
  await writer.remove(urlOf(2));
  await writer.remove(urlOf(3));
  await writer.commit();
  assert.equal((await textsOf(folder)).segmentCount, 2, 'the empty segment is left out at once');
  merges.open();
  assert.equal((await writer.settle()).docCount, 4);
  const left = { 0: 'round 0', 1: 'round 0', 4: 'round 2', 5: 'round 2' };
  assert.deepEqual((await textsOf(folder)).texts, expected(left));
  await verifyGeneration(folder);
});

test('a shard keeps its biwords when what is added is merged into it', async (context) => {
  const folder = await tempFolder(context);
  const merges = gatedMerges();
  merges.open();
  const mergeLimits = { ...MERGE_LIMITS, fanIn: 3 };
  const writer = await openIndexWriter({ ...optionsOf(folder), mergeLimits, startMerge: merges.start });
  context.after(() => writer.close());
  // 128 documents make their words common; so few as are added then do not.
  for (let number = 0; number < 128; number += 1) await writer.add(documentOf(number, 'red fox'));
  await writer.commit();
  for (const number of [128, 129]) {
    await writer.add(documentOf(number, 'red fox'));
    await writer.commit();
  }
  await writer.settle();
  const open = await openGeneration(folder);
  context.after(() => open.close());
  const [segment, ...others] = open.shards.flat();
  assert.deepEqual(others, []);
  assert.deepEqual([...(segment?.contents().commonWords ?? [])], ['fox', 'red']);
  const { dictionary } = segment?.contents() ?? {};
  assert.equal(dictionary?.findKey(biwordKey('red', 'fox'))?.docCount, 130);
});

test('a merge is seen at the next commit, not before; its inputs go when no commit needs them', async (context) => {
  const { folder, writer, merges } = await threeSegments(context);
  merges.open();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await textsOf(folder)).segmentCount, 3);
  const { generation, commit } = await writer.settle();
  assert.equal(commit, 4);
  assert.equal((await textsOf(folder)).segmentCount, 1);
  const idxFiles = async () =>
    (await readdir(shardFolder(folder, generation, 0))).filter((name) => name.endsWith('.idx')).sort();
  // Readers of another process may still open the commit before.
  assert.deepEqual(await idxFiles(), ['000001.idx', '000002.idx', '000003.idx', '000004.idx']);
  await writer.add(documentOf(9, 'later'));
  await writer.commit();
  assert.deepEqual(await idxFiles(), ['000004.idx', '000005.idx']);
});

test('a merge that fails leaves the index as it is and is tried again', async (context) => {
  const folder = await tempFolder(context);
  let failures = 0;
  const startMerge: StartMerge = (job) => {
    failures += 1;
    const done = failures <= 2 ? Promise.reject(new Error('no luck')) : runMergeJob(job);
    done.catch(() => undefined);
    return { done, stop: async () => undefined };
  };
  const heard: unknown[] = [];
  const onMergeError = (error: unknown) => heard.push(error);
  await using writer = await openIndexWriter({ ...optionsOf(folder), startMerge, onMergeError });
  for (let number = 0; number < 3; number += 1) {
    await writer.add(documentOf(number, 'text'));
    await writer.commit();
  }
  await assert.rejects(writer.settle(), /no luck/);
  assert.equal((await textsOf(folder)).segmentCount, 3);
  await writer.settle();
  assert.equal((await textsOf(folder)).segmentCount, 1);
  assert.equal(heard.length, 2);
});

test('closing while a merge runs removes what it wrote', async (context) => {
  const { folder, writer, info } = await threeSegments(context);
  const files = async () => (await readdir(shardFolder(folder, info?.generation ?? 0, 0))).sort();
  const before = await files();
  await writer.close();
  assert.deepEqual(await files(), before);
});

test('a merge in a thread of its own: deleted documents go, the rest is in one segment', async (context) => {
  const folder = await tempFolder(context);
  await using writer = await openIndexWriter(optionsOf(folder));
  for (let round = 0; round < 3; round += 1) {
    for (let number = 0; number < 20; number += 1)
      await writer.update(documentOf(number + round * 10, `r${round}`));
    await writer.commit();
  }
  const { docCount } = await writer.settle();
  assert.equal(docCount, 40);
  const { texts, segmentCount } = await textsOf(folder);
  assert.equal(texts.length, 40);
  assert.equal(segmentCount, 1);
  await verifyGeneration(folder);
});

test('a document of which nothing is left leaves no segment behind', async (context) => {
  const folder = await tempFolder(context);
  await using writer = await openIndexWriter({ ...optionsOf(folder), startMerge: gatedMerges().start });
  await writer.add(documentOf(1, 'text'));
  await writer.commit();
  await writer.remove(urlOf(1));
  assert.equal((await writer.commit()).docCount, 0);
  assert.deepEqual(await textsOf(folder), { texts: [], segmentCount: 0 });
});

test('bounds are made anew when the weights change, and then no more', async (context) => {
  const folder = await tempFolder(context);
  const write = async (weights: WeightTable): Promise<readonly SegmentEntry[]> => {
    await using writer = await openIndexWriter({ ...optionsOf(folder), weights });
    if (writer.committed === undefined) {
      for (const number of [0, 1, 2]) await writer.add(documentOf(number, 'stone'));
      await writer.commit();
      await writer.add(documentOf(3, 'rock'));
    }
    const { generation, manifests } = await writer.settle();
    return (await readManifest(shardFolder(folder, generation, 0), manifests[0] ?? 0)).segments;
  };
  const tablesOf = (segments: readonly SegmentEntry[]) =>
    segments.map((entry) => new WrittenSegment(shardFolder(folder, 1, 0), entry).boundsTable);
  const before = await write(DEFAULT_WEIGHTS);
  assert.deepEqual(tablesOf(before), [DEFAULT_WEIGHTS.name, DEFAULT_WEIGHTS.name]);
  const after = await write(LUCENE_COMPAT_WEIGHTS);
  assert.deepEqual(tablesOf(after), [LUCENE_COMPAT_WEIGHTS.name, LUCENE_COMPAT_WEIGHTS.name]);
  assert.deepEqual(await write(LUCENE_COMPAT_WEIGHTS), after);
  const { texts } = await textsOf(folder);
  assert.deepEqual(texts, expected({ 0: 'stone', 1: 'stone', 2: 'stone', 3: 'rock' }));
});
