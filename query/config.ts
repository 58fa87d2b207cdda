import { type Static, Type } from 'typebox';
import { defineConfig } from '../shards/index.ts';

/** Settings of the broker and of query planning. */
export const queryConfig = defineConfig(
  Type.Object({
    timeoutMs: Type.Integer({
      default: 1000,
      minimum: 1,
      maximum: 600_000,
      description: 'milliseconds after which shards that have not answered are left out of the answer',
    }),
    viewMaxAgeMs: Type.Integer({
      default: 1000,
      minimum: 0,
      maximum: 3_600_000,
      description: 'milliseconds after which the broker asks nodes again for statistics and generation',
    }),
    statisticsIntervalMs: Type.Integer({
      default: 30_000,
      minimum: 0,
      maximum: 86_400_000,
      description:
        'milliseconds between two refreshes of the global statistics by a server; 0 never refreshes',
    }),
    cacheEntries: Type.Integer({
      default: 1000,
      minimum: 0,
      maximum: 1_000_000,
      description: 'complete answers kept for repeated queries; 0 keeps none',
    }),
    passageLength: Type.Integer({
      default: 280,
      minimum: 40,
      maximum: 2000,
      description: 'largest length of a passage under a result, in UTF-16 units',
    }),
    maxPrefixTerms: Type.Integer({
      default: 64,
      minimum: 1,
      maximum: 1000,
      description:
        'words of the index that a beginning such as index* stands for at most, those of most documents first',
    }),
    minLanguageShare: Type.Number({
      default: 0.02,
      minimum: 0,
      maximum: 1,
      description: 'share of documents from which on the words of a query are also stemmed in a language',
    }),
    maxLanguages: Type.Integer({
      default: 8,
      minimum: 0,
      maximum: 32,
      description: 'largest number of languages whose stemmers a word of a query passes through',
    }),
  }),
);

export type QueryConfig = Static<typeof queryConfig.schema>;
