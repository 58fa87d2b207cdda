import { createDefaultAnalyser } from './default-analyser.ts';
import { failText } from './errors.ts';
import { createLuceneEnglishAnalyser } from './lucene-english.ts';
import type { Analyser, Token } from './token.ts';

const FACTORIES: Readonly<Record<string, () => Analyser>> = {
  default: createDefaultAnalyser,
  'lucene-english': createLuceneEnglishAnalyser,
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

let inspector: Analyser | undefined;

/** What `quarry inspect analyze` prints for one line of its input. */
export const inspectAnalyze = ({ text, lang = '' }: { text: string; lang?: string }): { tokens: Token[] } => {
  inspector ??= createAnalyser('default');
  return { tokens: inspector.analyse(text, lang) };
};
