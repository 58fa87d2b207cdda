import { FIELD_COUNT } from '../postings/field-slots.ts';
import type { UrlKey } from '../values/ids.ts';
import { decodeExactLengths, encodeFieldLengths } from './field-lengths.ts';
import { encodeNumberColumn, numberAt } from './number-column.ts';
import type { DocumentColumns } from './segment-files.ts';
import type { MergeInput, SegmentContents } from './segment-reader.ts';
import { encodeStringColumn } from './string-column.ts';
import { type UrlOrderSections, UrlOrderWriter } from './url-order.ts';

const DOCUMENTS_PER_PAUSE = 1 << 11;

/** Stands for a document that does not go into the new segment. */
export const DROPPED = -1;

/** Which documents a merge takes, in the order of the new segment. */
export interface MergedDocuments {
  readonly docCount: number;
  /** By source, by its document: the number in the new segment, or DROPPED. */
  readonly targets: readonly Int32Array[];
  /** Of each new document: which source has it, and under what number. */
  readonly sourceIndexes: Uint32Array;
  readonly sourceDocs: Uint32Array;
  readonly urls: UrlOrderSections;
}

/** The documents of one source that are taken, in order. */
function* keptDocuments(
  segment: MergeInput,
  keeps: (key: UrlKey) => boolean,
): Generator<{ readonly doc: number; readonly orderKey: string }> {
  let doc = 0;
  for (const orderKey of segment.contents().urls.orderKeys()) {
    if (!segment.deletes?.has(doc) && keeps(segment.key(doc))) yield { doc, orderKey };
    doc += 1;
  }
}

/** Merges the sources' documents by their order keys; only live ones whose key `keeps` takes. */
export const mergeDocuments = async (
  sources: readonly MergeInput[],
  keeps: (key: UrlKey) => boolean,
  pause: () => Promise<void>,
): Promise<MergedDocuments> => {
  const most = sources.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const sourceIndexes = new Uint32Array(most);
  const sourceDocs = new Uint32Array(most);
  const targets = sources.map(({ docCount }) => new Int32Array(docCount).fill(DROPPED));
  const urls = new UrlOrderWriter();
  const iterators = sources.map((segment) => keptDocuments(segment, keeps));
  const heads = iterators.map((iterator) => iterator.next());
  let docCount = 0;
  for (;;) {
    let least = -1;
    let leastKey = '';
    for (let i = 0; i < heads.length; i += 1) {
      const { done, value } = heads[i]!;
      if (done || (least >= 0 && value.orderKey >= leastKey)) continue;
      least = i;
      leastKey = value.orderKey;
    }
    if (least < 0) break;
    const { doc } = heads[least]!.value as { readonly doc: number };
    targets[least]![doc] = docCount;
    sourceIndexes[docCount] = least;
    sourceDocs[docCount] = doc;
    urls.add(leastKey);
    docCount += 1;
    heads[least] = iterators[least]!.next();
    if (docCount % DOCUMENTS_PER_PAUSE === 0) await pause();
  }
  return {
    docCount,
    targets,
    sourceIndexes: sourceIndexes.subarray(0, docCount),
    sourceDocs: sourceDocs.subarray(0, docCount),
    urls: urls.finish(),
  };
};

/** Where each new document's stored page lies. */
export type PagePlaces = Pick<DocumentColumns, 'pageBlocks' | 'pageOffsets'>;

/** Gathers the columns of the documents taken. */
export const mergeColumns = (
  sources: readonly MergeInput[],
  documents: MergedDocuments,
  pages: PagePlaces,
): DocumentColumns => {
  const { docCount, sourceIndexes, sourceDocs } = documents;
  const contents = sources.map((segment) => segment.contents());
  const lengths = sources.map((segment, i) => decodeExactLengths(contents[i]!.lengths, segment.docCount));
  const docs = Array.from({ length: docCount }, (_, doc) => doc);
  const of = <T>(read: (from: SegmentContents, doc: number) => T): T[] =>
    docs.map((doc) => read(contents[sourceIndexes[doc]!]!, sourceDocs[doc]!));
  return {
    keys: BigUint64Array.from(docs, (doc) => sources[sourceIndexes[doc]!]!.key(sourceDocs[doc]!)),
    staticScores: Uint32Array.from(of(({ staticScores }, doc) => staticScores[doc]!)),
    fetchedAtMs: encodeNumberColumn(of(({ fetchedAtMs }, doc) => numberAt(fetchedAtMs, doc))),
    languages: encodeStringColumn(of(({ languages }, doc) => languages.value(doc))),
    types: encodeStringColumn(of(({ types }, doc) => types.value(doc))),
    urls: documents.urls,
    lengths: encodeFieldLengths(
      docCount,
      (doc, field) => lengths[sourceIndexes[doc]!]![sourceDocs[doc]! * FIELD_COUNT + field]!,
    ),
    ...pages,
  };
};
