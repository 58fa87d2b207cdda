import { randomInt } from 'node:crypto';
import { AnalysedTermStream } from './analysed-term-stream.ts';
import { createDefaultAnalyser } from './default-analyser.ts';
import { failText } from './errors.ts';
import { createLuceneEnglishAnalyser } from './lucene-english.ts';
import type { TermStream } from './term-stream.ts';
import type { Analyser, Token } from './token.ts';
import { createWhitespaceAnalyser } from './whitespace.ts';

const SEED_END = 2 ** 32;

const FACTORIES: Readonly<Record<string, () => Analyser>> = {
  default: createDefaultAnalyser,
  'lucene-english': createLuceneEnglishAnalyser,
  whitespace: createWhitespaceAnalyser,
};

/** Analysers that a segment may name. */
export const ANALYSER_NAMES: readonly string[] = Object.keys(FACTORIES);

/** Makes a chain by the name that segments record. Throws TEXT_UNKNOWN_ANALYSER. */
export const createAnalyser = (name: string): Analyser => {
  const factory = Object.hasOwn(FACTORIES, name) ? FACTORIES[name] : undefined;
  if (factory === undefined)
    throw failText('TEXT_UNKNOWN_ANALYSER', { name, known: ANALYSER_NAMES.join(', ') });
  return factory();
};

/** A stream by the name of its analyser. Throws TEXT_UNKNOWN_ANALYSER. */
export const createTermStream = (name: string): TermStream => {
  const analyser = createAnalyser(name);
  return analyser.termStream?.() ?? new AnalysedTermStream(analyser, randomInt(SEED_END));
};

/** What `quarry inspect analyze` is asked. */
export interface AnalyzeCase {
  readonly text: string;
  readonly lang?: string;
}

/** What `quarry inspect analyze` prints for one line of its input; the chain is made once for all lines. */
export const createAnalyzeInspector = (name: string): ((asked: AnalyzeCase) => { tokens: Token[] }) => {
  const analyser = createAnalyser(name);
  return ({ text, lang = '' }) => ({ tokens: analyser.analyse(text, lang) });
};
