import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseQueries } from '../../query/index.ts';
import { fail } from '../errors.ts';
import { peersRoot, sharedPath } from '../paths.ts';
import { jsonLines } from '../program.ts';
import type { Corpus } from './engine.ts';

/** A corpus with queries that were made for it. */
export interface Task extends Corpus {
  readonly queriesFile: string;
}

interface CollectionDocument {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
}

const oneLine = (text = ''): string => text.replace(/\s+/g, ' ').trim();

/** A judged collection as a corpus, written into a folder: only its documents and query texts are used here. */
export const collectionTask = async (name: string, folder: string): Promise<Task> => {
  const packed = await readFile(sharedPath('collections', name, 'corpus.jsonl.gz'));
  const documents = jsonLines<CollectionDocument>(gunzipSync(packed).toString('utf8'));
  const queriesSource = sharedPath('collections', name, 'queries.jsonl');
  const queries = parseQueries(await readFile(queriesSource, 'utf8'), queriesSource);
  const rows = documents.map(({ id, title, text }) => ({
    id: String(id),
    title: oneLine(title),
    text: oneLine(text),
  }));
  const task = {
    name,
    jsonlFile: join(folder, 'corpus.jsonl'),
    tsvFile: join(folder, 'corpus.tsv'),
    queriesFile: join(folder, 'queries.txt'),
  };
  await writeFile(task.jsonlFile, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(task.tsvFile, rows.map(({ id, title, text }) => `${id}\t${title}\t${text}\n`).join(''));
  // Signs of the query language would mean different things to the programs.
  const plain = queries.map(({ text }) => oneLine(text.replace(/[^\p{L}\p{N}\s]/gu, ' ')));
  await writeFile(task.queriesFile, plain.map((text) => `${text}\n`).join(''));
  return task;
};

/** The large corpus that peers/install.sh lays out. @throws BENCH_PEER_MISSING */
export const docsTask = (): Task => {
  const home = join(peersRoot, 'docs');
  if (!existsSync(join(home, 'corpus.tsv'))) {
    const remedy = `run: sh ${sharedPath('peers', 'install.sh')} corpus ${peersRoot}`;
    throw fail('BENCH_PEER_MISSING', { peer: 'the docs corpus', path: home, remedy });
  }
  return {
    name: 'docs',
    jsonlFile: join(home, 'corpus.jsonl'),
    tsvFile: join(home, 'corpus.tsv'),
    queriesFile: sharedPath('queries', 'docs-corpus.txt'),
  };
};
