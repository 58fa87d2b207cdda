import type { MergedDocuments, PagePlaces } from './merge-documents.ts';
import { DROPPED } from './merge-documents.ts';
import type { MergeInput } from './segment-reader.ts';
import { pagePlaces, type StoredPagesWriter } from './stored-pages-writer.ts';

/**
 * Writes the stored pages of the documents taken; none when a source has none. A block all of whose pages stay is copied as it is, after its checksum was
 * verified; of the others only the pages that stay are compressed anew, so that nothing remains of a dropped document.
 */
export const mergePages = async (
  sources: readonly MergeInput[],
  documents: MergedDocuments,
  writer: StoredPagesWriter,
): Promise<PagePlaces> => {
  if (sources.some((segment) => !segment.hasStoredPages)) return pagePlaces([]);
  const { docCount, sourceIndexes, sourceDocs } = documents;
  const pageBlocks = new Uint32Array(docCount);
  const pageOffsets = new Uint32Array(docCount);
  const copies: ReadonlyMap<number, number>[] = [];
  for (const [index, segment] of sources.entries()) {
    copies.push(await copyBlocks(segment, documents.targets[index]!, writer));
  }
  for (let doc = 0; doc < docCount; doc += 1) {
    const index = sourceIndexes[doc]!;
    const segment = sources[index]!;
    const sourceDoc = sourceDocs[doc]!;
    const contents = segment.contents();
    const copy = copies[index]!.get(contents.pageBlocks[sourceDoc]!);
    if (copy === undefined) {
      const place = await writer.add(segment.stored(sourceDoc));
      pageBlocks[doc] = place.block;
      pageOffsets[doc] = place.offset;
    } else {
      pageBlocks[doc] = copy;
      pageOffsets[doc] = contents.pageOffsets[sourceDoc]!;
    }
  }
  return { pageBlocks, pageOffsets };
};

/** Copies the blocks without a dropped page; returns their new numbers by their old ones. */
const copyBlocks = async (
  segment: MergeInput,
  targets: Int32Array,
  writer: StoredPagesWriter,
): Promise<ReadonlyMap<number, number>> => {
  const { pageBlocks } = segment.contents();
  const kept = new Set<number>(pageBlocks);
  for (let doc = 0; doc < targets.length; doc += 1) {
    if (targets[doc] === DROPPED) kept.delete(pageBlocks[doc]!);
  }
  const copies = new Map<number, number>();
  const pages = segment.openPages();
  for (const block of [...kept].sort((a, b) => a - b)) {
    copies.set(block, await writer.addBlock(pages.packedBlock(block)));
  }
  return copies;
};
