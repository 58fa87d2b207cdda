import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { lockDataFolder, openDataFolder } from '../../indexer/index.ts';
import { seededRandom } from '../../query/evaluation/seeded-random.ts';
import { currentGeneration, type IndexWriter, openIndexWriter } from '../../shards/index.ts';
import { CorpusDocuments } from './corpus-documents.ts';

export interface UpdatingTask {
  /** The data folder. */
  readonly data: string;
  /** JSON lines that the documents are taken from. */
  readonly jsonlFile: string;
  readonly perSecond: number;
  readonly durationMs: number;
  readonly seed: number;
}

/** What the writer prints, a line each; times are those of the system's clock. */
export type UpdatingSaid =
  /** It updates from now on. */
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'committed';
      /** Word that the commit's documents, and no others, hold. */
      readonly edition: string;
      readonly documents: number;
      readonly commitMs: number;
      readonly atMs: number;
    };

const COMMIT_EVERY_MS = 1000;
const PAUSE_MS = 10;

const say = (said: UpdatingSaid): void => void process.stdout.write(`${JSON.stringify(said)}\n`);

/** Commits what was updated since the last time. */
const commit = async (writer: IndexWriter, edition: string, documents: number): Promise<void> => {
  const startedMs = performance.now();
  await writer.commit();
  const commitMs = performance.now() - startedMs;
  say({ kind: 'committed', edition, documents, commitMs, atMs: Date.now() });
};

/** Replaces random documents at a steady rate; what became due during a commit follows behind it. */
const replaceDocuments = async (
  writer: IndexWriter,
  documents: CorpusDocuments,
  task: UpdatingTask,
): Promise<void> => {
  const { perSecond, durationMs } = task;
  const random = seededRandom(task.seed);
  const startedMs = performance.now();
  let done = 0;
  let committed = 0;
  for (let edition = 1; performance.now() - startedMs < durationMs; edition += 1) {
    const word = `quarryedition${edition}`;
    const untilMs = edition * COMMIT_EVERY_MS;
    for (;;) {
      const passedMs = Math.min(performance.now() - startedMs, durationMs);
      for (const due = Math.floor((passedMs * perSecond) / 1000); done < due; done += 1) {
        const document = documents.at(Math.floor(random() * documents.count), Date.now());
        await writer.update({ ...document, fields: [...document.fields, { field: 'body', text: word }] });
      }
      if (performance.now() - startedMs >= untilMs) break;
      await sleep(PAUSE_MS);
    }
    await commit(writer, word, done - committed);
    committed = done;
  }
};

const update = async (task: UpdatingTask): Promise<void> => {
  const folder = await openDataFolder(task.data);
  await using _lock = await lockDataFolder(folder);
  const info = await currentGeneration(folder.shards);
  if (info === undefined) throw new Error(`${task.data} has no index`);
  using documents = await CorpusDocuments.open(task.jsonlFile);
  const { shardCount, analyser } = info;
  await using writer = await openIndexWriter({ folder: folder.shards, shardCount, analyser });
  say({ kind: 'ready' });
  await replaceDocuments(writer, documents, task);
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await update(JSON.parse(process.argv[2] ?? '') as UpdatingTask);
}
