import { isBiword } from '../postings/biwords.ts';
import { BoundsCollector } from '../postings/bounds-collector.ts';
import { FIELD_COUNT } from '../postings/field-slots.ts';
import type { EncodedLists } from '../postings/inversion.ts';
import { ListReader } from '../postings/list-reader.ts';
import { PostingsEncoder } from '../postings/postings-encoder.ts';
import type { Scorer } from '../score/scorer.ts';
import { codesByField } from './field-lengths.ts';
import { MergedCommonWords } from './merge-common-words.ts';
import { DROPPED } from './merge-documents.ts';
import type { ListSink } from './segment-files.ts';
import type { MergeInput } from './segment-reader.ts';
import type { TermScanner } from './term-dictionary.ts';
import { TermDictionaryWriter } from './term-dictionary-writer.ts';

/** Called after so many postings, so that a merge in the main thread lets others run, and heeds a signal. */
const POSTINGS_PER_PAUSE = 1 << 14;
/** So much is coded before it goes to the disk. */
const CHUNK_BYTES = 1 << 20;

const NO_DOC = 0xffffffff;

/** One source's dictionary and lists, with the numbers that its documents get. */
class Source {
  readonly terms: TermScanner;
  readonly #lists: ListReader;
  readonly #targets: Int32Array;
  hasTerm: boolean;
  /** New number of the present posting's document, NO_DOC at the end. */
  doc = NO_DOC;

  constructor(segment: MergeInput, targets: Int32Array) {
    const { dictionary, postings, positions } = segment.contents();
    this.terms = dictionary.scanner();
    this.#lists = new ListReader(postings, positions());
    this.#targets = targets;
    this.hasTerm = this.terms.next();
  }

  /** Stands at the first posting of the present term. */
  openList(withPositions: boolean): void {
    this.#lists.open(this.terms.term(), withPositions);
    this.next();
  }

  /** Moves to the next posting whose document is taken. */
  next(): void {
    while (this.#lists.next()) {
      const target = this.#targets[this.#lists.doc]!;
      if (target === DROPPED) continue;
      this.doc = target;
      return;
    }
    this.doc = NO_DOC;
  }

  /** Hands the present posting to the encoder. */
  copyTo(encoder: PostingsEncoder): void {
    encoder.add(this.#lists, this.doc);
  }
}

/** Sources that have the least of the present terms. */
const withLeastTerm = (sources: readonly Source[]): Source[] => {
  let least: Source[] = [];
  for (const source of sources) {
    if (!source.hasTerm) continue;
    const order = least[0] ? Buffer.compare(source.terms.key(), least[0].terms.key()) : -1;
    if (order < 0) least = [source];
    else if (order === 0) least.push(source);
  }
  return least;
};

/** The source with the least document; all are at their ends when its document is NO_DOC. */
const withLeastDoc = (sources: readonly Source[]): Source => {
  let least = sources[0]!;
  for (let i = 1; i < sources.length; i += 1) if (sources[i]!.doc < least.doc) least = sources[i]!;
  return least;
};

export interface MergeContext {
  readonly sink: ListSink;
  readonly scorer: Scorer;
  /** Of the new segment. */
  readonly lengthCodes: Uint8Array;
  /** Awaited now and then. */
  readonly pause: () => Promise<void>;
}

/**
 * Merges dictionaries and lists. A term without a document that is taken is dropped. `targets` gives the new numbers by
 * source; documents of one source keep their order. Lists go to the sink as they are coded: what stays in memory is the
 * dictionary, the block records and the bounds.
 */
export const mergeTerms = async (
  segments: readonly MergeInput[],
  targets: readonly Int32Array[],
  { sink, scorer, lengthCodes, pause }: MergeContext,
): Promise<EncodedLists> => {
  const sources = segments.map((segment, i) => new Source(segment, targets[i]!));
  const dictionary = new TermDictionaryWriter();
  const codes = codesByField(lengthCodes, lengthCodes.length / FIELD_COUNT);
  const commonWords = new MergedCommonWords(segments.map((segment) => segment.contents()));
  const bounds = new BoundsCollector(scorer, codes);
  const encoder = new PostingsEncoder(bounds);
  const drain = async (): Promise<void> => {
    const { docs, positions } = encoder.take();
    await sink.docs(docs);
    await sink.positions(positions);
  };
  let postingCount = 0;
  let biwordCount = 0;
  for (let holders = withLeastTerm(sources); holders.length > 0; holders = withLeastTerm(sources)) {
    const key = holders[0]!.terms.key();
    const isPair = isBiword(key);
    const isKept = !isPair || commonWords.hasBiword(key);
    if (isKept) for (const holder of holders) holder.openList(!isPair);
    let next = withLeastDoc(holders);
    if (isKept && next.doc !== NO_DOC) {
      biwordCount += Number(isPair);
      encoder.startTerm(!isPair);
      for (; next.doc !== NO_DOC; next = withLeastDoc(holders)) {
        next.copyTo(encoder);
        next.next();
        postingCount += 1;
        if (postingCount % POSTINGS_PER_PAUSE === 0) await pause();
        if (encoder.pendingBytes > CHUNK_BYTES) await drain();
      }
      dictionary.add(key, encoder.endTerm());
      if (!isPair) commonWords.meet(key);
    }
    for (const holder of holders) holder.hasTerm = holder.terms.next();
  }
  await drain();
  const { lastDocs, docsOffsets, positionsOffsets, shapes } = encoder;
  return {
    termCount: dictionary.termCount,
    biwordCount,
    commonWords: commonWords.met,
    dictionary: dictionary.finish(),
    lastDocs: lastDocs.view(),
    docsOffsets: docsOffsets.view(),
    positionsOffsets: positionsOffsets.view(),
    shapes: Uint16Array.from(shapes.view()),
    bounds: bounds.finish(),
  };
};
