import { randomInt } from 'node:crypto';
import { AnalysedTermStream } from './analysed-term-stream.ts';
import { createAnalyser } from './analyser.ts';
import type { TermStream } from './term-stream.ts';

const SEED_END = 2 ** 32;
/** Idle streams kept of one analyser: as many as segments are usually written beside each other. */
const MOST_IDLE = 4;

/** Streams that no one uses, by analyser: making one takes some 30 MB and its tables. */
const idle = new Map<string, TermStream[]>();

const createTermStream = (name: string): TermStream => {
  const analyser = createAnalyser(name);
  return analyser.termStream?.() ?? new AnalysedTermStream(analyser, randomInt(SEED_END));
};

/** A stream without terms by the name of its analyser. Give it back when it is used no more. Throws TEXT_UNKNOWN_ANALYSER. */
export const takeTermStream = (name: string): TermStream => idle.get(name)?.pop() ?? createTermStream(name);

export const giveBackTermStream = (name: string, stream: TermStream): void => {
  const streams = idle.get(name) ?? [];
  idle.set(name, streams);
  if (streams.length >= MOST_IDLE) return;
  stream.reset();
  streams.push(stream);
};
