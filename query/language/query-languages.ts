import { FALLBACK_LANGUAGE, type IndexStatistics } from '../../shards/index.ts';

/**
 * Languages above a share of the documents, most frequent first, for the stems of a query. A page of unknown language was
 * analysed as one of the fallback language.
 */
export const queryLanguages = (
  statistics: IndexStatistics,
  limits: { readonly minLanguageShare: number; readonly maxLanguages: number },
): string[] => {
  const counts = new Map<string, number>();
  for (const { lang, docCount } of statistics.languages) {
    const analysedAs = lang === '' ? FALLBACK_LANGUAGE : lang;
    counts.set(analysedAs, (counts.get(analysedAs) ?? 0) + docCount);
  }
  return [...counts]
    .filter(([, docCount]) => docCount >= limits.minLanguageShare * statistics.docCount)
    .sort((a, b) => b[1] - a[1])
    .slice(0, limits.maxLanguages)
    .map(([lang]) => lang);
};
