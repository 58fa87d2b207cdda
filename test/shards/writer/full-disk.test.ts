import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { TEMPORARY_SUFFIX } from '../../../shards/bytes/atomic-file.ts';
import { currentGeneration, generationFolder } from '../../../shards/segment/current.ts';
import { openGeneration } from '../../../shards/segment/generation.ts';
import { verifyGeneration } from '../../../shards/segment/verify-generation.ts';
import { trustNormalUrl } from '../../../shards/values/ids.ts';
import {
  type IndexWriter,
  openIndexWriter,
  type WriterOptions,
} from '../../../shards/writer/index-writer.ts';
import { runMergeJob } from '../../../shards/writer/merge-job.ts';
import { MERGE_LIMITS } from '../../../shards/writer/merge-policy.ts';
import type { StartMerge } from '../../../shards/writer/start-merge.ts';
import { indexDocument } from '../../helpers/index-documents.ts';
import { smallDisk } from '../../helpers/small-disk.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const SIZES_TRIED = 14;

const documentOf = (number: number, text: string) =>
  indexDocument(trustNormalUrl(`http://h${number % 3}.example/${number}`), {
    fields: [{ field: 'body', text }],
    storedText: text,
  });

/** In this process, whose disk is small. */
const mergeHere: StartMerge = (job) => {
  const done = runMergeJob(job);
  done.catch(() => undefined);
  return { done, stop: async () => void (await done.catch(() => undefined)) };
};

const optionsOf = (folder: string): WriterOptions => ({
  folder,
  shardCount: 2,
  analyser: 'default',
  mergeLimits: { ...MERGE_LIMITS, fanIn: 3 },
  startMerge: mergeHere,
});

/** Text of every live document by URL. */
const contentsOf = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const open = await openGeneration(folder);
  try {
    const rows = open.shards.flat().flatMap((segment) =>
      Array.from({ length: segment.docCount }, (_, doc) => doc)
        .filter((doc) => segment.deletes?.has(doc) !== true)
        .map((doc) => [segment.stored(doc).url, segment.stored(doc).text] as const),
    );
    assert.equal(new Set(rows.map(([url]) => url)).size, rows.length, 'no URL twice');
    return Object.fromEntries(rows);
  } finally {
    open.close();
  }
};

/** Commits after each step; the merges that are due come last. */
const STEPS: readonly ((writer: IndexWriter) => Promise<void>)[] = [
  async (writer) => {
    for (const number of [0, 1, 2, 20, 21]) await writer.update(documentOf(number, `new ${number}`));
    await writer.commit();
  },
  async (writer) => {
    await writer.remove(documentOf(4, '').url);
    for (const number of [5, 30, 31, 32]) await writer.update(documentOf(number, `newer ${number}`));
    await writer.commit();
  },
  async (writer) => void (await writer.settle()),
];

test('whenever the disk is full, what was committed stays, whole and alone, and space makes it go on', async (context) => {
  const root = await tempFolder(context);
  const base = join(root, 'base');
  const disk = await smallDisk(context);
  {
    await using writer = await openIndexWriter(optionsOf(base));
    for (let number = 0; number < 12; number += 1) await writer.add(documentOf(number, 'old'));
    await writer.commit();
  }
  const states = [await contentsOf(base)];
  const whole = join(root, 'whole');
  await cp(base, whole, { recursive: true });
  disk.resize(Number.POSITIVE_INFINITY);
  {
    await using writer = await openIndexWriter(optionsOf(whole));
    for (const step of STEPS) {
      await step(writer);
      states.push(await contentsOf(whole));
    }
  }
  const needed = disk.usedBytes;
  const failedAt = new Set<number>();
  for (let size = 0; size < SIZES_TRIED; size += 1) {
    const folder = join(root, String(size));
    await cp(base, folder, { recursive: true });
    disk.resize(Math.floor((needed * size) / SIZES_TRIED));
    const writer = await openIndexWriter(optionsOf(folder));
    let done = 0;
    const work = async (): Promise<void> => {
      for (const step of STEPS) {
        await step(writer);
        done += 1;
      }
    };
    await assert.rejects(work(), { code: 'SHARDS_DISK_FULL', exit: 1, message: /free some space/ });
    failedAt.add(done);
    await writer.close();
    assert.deepEqual(await contentsOf(folder), states[done], `${size}`);
    await verifyGeneration(folder);
    const info = (await currentGeneration(folder)) ?? assert.fail();
    const generation = generationFolder(folder, info.generation);
    const files = (await readdir(generation, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    assert.deepEqual(
      files.filter((file) => file.endsWith(TEMPORARY_SUFFIX)),
      [],
    );

    disk.resize(Number.POSITIVE_INFINITY);
    await using again = await openIndexWriter(optionsOf(folder));
    for (const step of STEPS) await step(again);
    assert.deepEqual(await contentsOf(folder), states.at(-1));
  }
  assert.deepEqual(failedAt, new Set([0, 1, 2]), 'in each step');
});
