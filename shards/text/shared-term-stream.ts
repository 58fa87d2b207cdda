import { randomInt } from 'node:crypto';
import { AnalysedTermStream } from './analysed-term-stream.ts';
import { createAnalyser } from './analyser.ts';
import { SegmentTermStream } from './segment-term-stream.ts';
import type { OwnTermStream, TermStream } from './term-stream.ts';

const SEED_END = 2 ** 32;
/** A stream that waits keeps its vocabulary, and with it what it knows of words, unless that takes more. */
export const KEPT_VOCABULARY_BYTES = 4 * 2 ** 20;

/** Streams that no one uses, one of each analyser: making one takes some 30 MB and its tables. */
const idle = new Map<string, OwnTermStream>();

const createTermStream = (name: string): OwnTermStream => {
  const analyser = createAnalyser(name);
  return analyser.termStream?.() ?? new AnalysedTermStream(analyser, randomInt(SEED_END));
};

const takeTermStream = (name: string): OwnTermStream => {
  const waiting = idle.get(name);
  idle.delete(name);
  return waiting ?? createTermStream(name);
};

const giveBackTermStream = (name: string, stream: OwnTermStream): void => {
  if (idle.has(name)) return;
  if (stream.vocabularyBytes > KEPT_VOCABULARY_BYTES) stream.reset();
  idle.set(name, stream);
};

/** One stream, and what it knows of words, for all segments that are filled beside each other. */
export class SharedTermStream {
  readonly #analyser: string;
  #stream: OwnTermStream | undefined;
  #segmentCount = 0;

  /** Takes the analyser's name. */
  constructor(analyser: string) {
    this.#analyser = analyser;
  }

  /** Memory besides that of the segments' own streams; 0 while there are none. */
  get memoryBytes(): number {
    return this.#stream?.memoryBytes ?? 0;
  }

  /** Of that what the vocabulary takes: it only grows until the last segment's stream is closed. */
  get vocabularyBytes(): number {
    return this.#stream?.vocabularyBytes ?? 0;
  }

  /** A stream for one more segment; `close` must be called as often. Throws TEXT_UNKNOWN_ANALYSER. */
  open(): TermStream {
    this.#stream ??= takeTermStream(this.#analyser);
    this.#segmentCount += 1;
    return new SegmentTermStream(this.#stream);
  }

  close(): void {
    this.#segmentCount -= 1;
    if (this.#segmentCount > 0 || this.#stream === undefined) return;
    giveBackTermStream(this.#analyser, this.#stream);
    this.#stream = undefined;
  }
}
