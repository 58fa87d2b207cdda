import { corrupt, verifySealedFile } from '../bytes/file-envelope.ts';
import { urlKey } from '../values/hash.ts';
import { PAGES_FORMAT } from './formats.ts';
import { type SegmentEntry, segmentFile } from './manifest.ts';
import { openSegment } from './segment-reader.ts';

/**
 * Reads every byte of a segment, also of the stored pages that opening leaves alone, and compares facts that are stored
 * twice: the URL of each page against the document's key. Throws the corrupt, too old or too new error.
 */
export const verifySegment = async (folder: string, entry: SegmentEntry): Promise<void> => {
  const file = segmentFile(folder, entry.id, 'pages');
  const segment = openSegment(folder, entry);
  try {
    await verifySealedFile(file, PAGES_FORMAT);
    for (let doc = 0; doc < segment.docCount; doc += 1) {
      const { url } = segment.stored(doc);
      if (urlKey(url) === segment.key(doc)) continue;
      throw corrupt(PAGES_FORMAT, file, `${url} as document ${doc}`, 'the URL of its key');
    }
  } finally {
    segment.close();
  }
};
