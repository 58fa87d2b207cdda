import { readFile } from 'node:fs/promises';
import { Packr } from 'msgpackr';
import {
  attachmentFile,
  currentGeneration,
  type FileFormat,
  type GenerationInfo,
  type IndexWriter,
  openSealed,
  rethrowNaming,
  sealFile,
  writeFileAtomically,
} from '../../shards/index.ts';
import type { CommittedEnd } from '../archive/committed-end.ts';
import type { InLinks } from '../jobs/collect-in-links.ts';
import type { KnownPage } from '../jobs/page-changes.ts';
import { readRows, writeRows } from './sealed-rows.ts';

const format = (name: string): FileFormat => ({
  name,
  version: 1,
  oldestVersion: 1,
  remedy: 'run `quarry index --rebuild`',
});

export const STATE_FORMAT = format('index-state');
export const PAGES_FORMAT = format('index-pages');
export const IN_LINKS_FORMAT = format('index-in-links');

/** Attachments of a commit. */
const STATE = 'index-state';
const PAGES = 'index-pages';
const IN_LINKS = 'index-in-links';

const packr = new Packr({ useRecords: false });

/** How far the index has come. */
export interface IndexState {
  /** End of the page log's part that is indexed. */
  readonly end: CommittedEnd;
  /** What shapes documents: an index made with other settings is made anew. */
  readonly settings: string;
  /** Static score from which on a document is one of the best, as of the last rebuild. */
  readonly highTierThreshold: number;
  /** Documents when everything was last made anew. */
  readonly rebuiltDocuments: number;
  /** Documents added, replaced and removed since. */
  readonly changedSince: number;
}

/** What a commit of the index remembers of the page log, so that the next run reads only what is new in it. */
export interface IndexMemory {
  readonly info: GenerationInfo;
  readonly state: IndexState;
  /** Every URL that is a document, a duplicate or a redirect, in segment order. */
  pages(): AsyncIterable<KnownPage>;
  /** In-links as of the last rebuild, also of pages that were not fetched then; in segment order of their targets. */
  inLinks(): AsyncIterable<InLinks>;
}

/**
 * The memory of the commit in force; undefined when there is none, as with an index whose documents came from somewhere
 * else. Throws the corrupt, too old or too new error.
 */
export const readIndexMemory = async (shardsFolder: string): Promise<IndexMemory | undefined> => {
  const info = await currentGeneration(shardsFolder);
  if (info === undefined) return undefined;
  const [state, pages, inLinks] = [STATE, PAGES, IN_LINKS].map((name) =>
    attachmentFile(shardsFolder, info, name),
  );
  if (state === undefined || pages === undefined || inLinks === undefined) return undefined;
  const bytes = await readFile(state).catch(rethrowNaming(state));
  return {
    info,
    state: packr.unpack(openSealed(bytes, STATE_FORMAT, state).body) as IndexState,
    pages: () => readRows<KnownPage>(pages, PAGES_FORMAT),
    inLinks: () => readRows<InLinks>(inLinks, IN_LINKS_FORMAT),
  };
};

/** Each makes a part of the memory belong to the writer's next commit; what is left out stays as it was. */
export const attachState = (writer: IndexWriter, state: IndexState): Promise<void> =>
  writer.attach(STATE, async (file) => {
    await writeFileAtomically(file, sealFile(STATE_FORMAT, [packr.pack(state)]));
  });

export const attachPages = (writer: IndexWriter, pages: AsyncIterable<KnownPage>): Promise<void> =>
  writer.attach(PAGES, (file) => writeRows(file, PAGES_FORMAT, pages));

export const attachInLinks = (writer: IndexWriter, inLinks: AsyncIterable<InLinks>): Promise<void> =>
  writer.attach(IN_LINKS, (file) => writeRows(file, IN_LINKS_FORMAT, inLinks));
