/**
 * write-index.js --corpus CORPUS.tsv --data DIR [--analyzer lucene-english] [--segments 1] [--delete-every 0]
 *
 * Writes a corpus of id, title and text straight into one shard with one field, text not stored, as peers do: no page
 * log, no jobs. With --segments the documents are cut into as many segments in their order; with --delete-every N each
 * Nth document is deleted again. Prints {index: {documents}}.
 */
import { mkdir } from 'node:fs/promises';
import { ensureDataFolder } from '../../indexer/index.ts';
import { idUrl, LUCENE_COMPAT_WEIGHTS, publishStatistics, trustNormalUrl } from '../../shards/index.ts';
import { slotMapOf } from '../../shards/partition/partitioner.ts';
import { RoaringBitmap32 } from '../../shards/segment/bitmap.ts';
import { shardFolder, writeCurrent } from '../../shards/segment/current.ts';
import { writeDeletes } from '../../shards/segment/deletes.ts';
import { type SegmentEntry, writeManifest } from '../../shards/segment/manifest.ts';
import { type SegmentDocument, SegmentWriter } from '../../shards/segment/segment-writer.ts';
import { readOptions, wholeNumber } from '../options.ts';
import { readTsv, type TsvDocument } from './read-tsv.ts';

const GENERATION = 1;
const COMMIT = 1;

const documentOf = ({ id, text }: TsvDocument): SegmentDocument => ({
  url: /^https?:\/\//.test(id) ? trustNormalUrl(id) : idUrl(id),
  title: '',
  fields: [{ field: 'body', text }],
  storedText: '',
  lang: 'en',
  type: 'text/plain',
  fetchedAtMs: 0,
  staticScore: 0,
});

interface Target {
  /** The shard's folder. */
  readonly folder: string;
  readonly analyser: string;
  readonly deleteEvery: number;
}

const finishSegment = async (writer: SegmentWriter, target: Target): Promise<SegmentEntry> => {
  const entry = await writer.finish();
  const { deleteEvery, folder } = target;
  if (deleteEvery === 0) return entry;
  const deletes = new RoaringBitmap32();
  for (let doc = 0; doc < entry.docCount; doc += deleteEvery) deletes.add(doc);
  return writeDeletes(folder, entry, COMMIT, deletes);
};

/** Documents per segment; without a limit for one, so that nothing has to be counted before. */
const segmentSize = (corpus: string, segmentCount: number): number => {
  if (segmentCount === 1) return Infinity;
  let documentCount = 0;
  for (const _ of readTsv(corpus)) documentCount += 1;
  return Math.ceil(documentCount / segmentCount);
};

const writeSegments = async (
  corpus: string,
  documentsPerSegment: number,
  target: Target,
): Promise<SegmentEntry[]> => {
  const { folder, analyser } = target;
  const entries: SegmentEntry[] = [];
  let writer: SegmentWriter | undefined;
  for (const document of readTsv(corpus)) {
    writer ??= await SegmentWriter.create({
      folder,
      id: entries.length + 1,
      analyser,
      weights: LUCENE_COMPAT_WEIGHTS,
      storesPages: false,
    });
    await writer.add(documentOf(document));
    if (writer.docCount < documentsPerSegment) continue;
    entries.push(await finishSegment(writer, target));
    writer = undefined;
  }
  if (writer !== undefined) entries.push(await finishSegment(writer, target));
  return entries;
};

const options = readOptions(process.argv.slice(2), {
  corpus: '',
  data: '',
  analyzer: 'lucene-english',
  segments: '1',
  'delete-every': '0',
});
const data = await ensureDataFolder(options.data);
const folder = shardFolder(data.shards, GENERATION, 0);
await mkdir(folder, { recursive: true });
const target = { folder, analyser: options.analyzer, deleteEvery: Number(options['delete-every']) };
const size = segmentSize(options.corpus, wholeNumber('segments', options.segments));
const segments = await writeSegments(options.corpus, size, target);
await writeManifest(folder, COMMIT, {
  analyser: options.analyzer,
  nextSegmentId: segments.length + 1,
  segments,
});
const documents = segments.reduce((sum, { docCount, deletes }) => sum + docCount - (deletes?.count ?? 0), 0);
await writeCurrent(data.shards, {
  generation: GENERATION,
  commit: COMMIT,
  committedAtMs: Date.now(),
  shardCount: 1,
  slots: slotMapOf(1),
  analyser: options.analyzer,
  docCount: documents,
  manifests: [COMMIT],
  attachments: {},
});
await publishStatistics({ shardsFolder: data.shards, statsFolder: data.stats });
process.stdout.write(`${JSON.stringify({ index: { documents } })}\n`);
