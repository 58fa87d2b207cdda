import { pathToFileURL } from 'node:url';
import { seededRandom } from '../../query/evaluation/seeded-random.ts';
import { type IndexDocument, openIndexWriter, trustNormalUrl } from '../../shards/index.ts';
import { titleOf } from './contents.ts';

/** Changes of one commit: number of the document and its version, 0 when it is taken out. */
export type Changes = readonly (readonly [document: number, version: number])[];

/** What the child prints, a line each. */
export type Said =
  | { readonly kind: 'committing'; readonly changes: Changes }
  | { readonly kind: 'committed' };

export interface WritingTask {
  /** Of the shards. */
  readonly folder: string;
  readonly seed: number;
  /** Version of the first change; each change takes the next one. */
  readonly firstVersion: number;
}

const DOCUMENTS = 400;
const CHANGES_PER_COMMIT = 40;
/** So little that a commit flushes more than once now and then. */
const MEMORY_BYTES = 400_000;
const WORDS = 300;

export const urlOfDocument = (document: number) => trustNormalUrl(`http://h${document % 7}.test/${document}`);

const documentOf = (document: number, version: number, random: () => number): IndexDocument => {
  const words = Array.from(
    { length: 1 + Math.floor(random() * WORDS) },
    () => `w${Math.floor(random() ** 3 * 5000)}`,
  );
  const text = words.join(' ');
  return {
    url: urlOfDocument(document),
    title: titleOf(version),
    fields: [{ field: 'body', text }],
    storedText: text,
    lang: 'en',
    type: 'text/html',
    fetchedAtMs: version,
    staticScore: document % 3 === 0 ? 1000 : 0,
  };
};

/** Writes until it is killed. Pipes are written synchronously, so that what was said was said before the next step. */
const write = async ({ folder, seed, firstVersion }: WritingTask): Promise<never> => {
  const random = seededRandom(seed);
  const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`);
  const writer = await openIndexWriter({
    folder,
    shardCount: 2,
    analyser: 'default',
    memoryBytes: MEMORY_BYTES,
    mergeLimits: { fanIn: 3, floorBytes: 100_000, maxBytes: 2 ** 30, maxDeletedShare: 0.15 },
  });
  let version = firstVersion;
  for (;;) {
    const changes: [number, number][] = [];
    for (let i = 0; i < CHANGES_PER_COMMIT; i += 1) {
      const document = Math.floor(random() * DOCUMENTS);
      const isRemoval = random() < 0.2;
      if (isRemoval) await writer.remove(urlOfDocument(document));
      else await writer.update(documentOf(document, version, random));
      changes.push([document, isRemoval ? 0 : version]);
      version += 1;
    }
    say({ kind: 'committing', changes });
    await writer.commit();
    say({ kind: 'committed' });
  }
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await write(JSON.parse(process.argv[2] ?? '') as WritingTask);
}
