import { createDefaultAnalyser } from './default-analyser.ts';
import { failText } from './errors.ts';
import { createLuceneEnglishAnalyser } from './lucene-english.ts';
import type { Analyser, Token } from './token.ts';
import { createWhitespaceAnalyser } from './whitespace.ts';

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
