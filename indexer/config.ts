import { type Static, Type } from 'typebox';
import { ANALYSER_NAMES, defineConfig, SLOT_COUNT } from '../shards/index.ts';

const MIB = 1024 * 1024;

/** Settings of `index`, `import` and of the second half of `crawl-and-index`. */
export const indexerConfig = defineConfig(
  Type.Object({
    shards: Type.Integer({
      default: 4,
      minimum: 1,
      maximum: SLOT_COUNT,
      description: 'parts that the index is cut into by the hash of the URL',
    }),
    analyzer: Type.Enum([...ANALYSER_NAMES], {
      default: 'default',
      description: `how text is cut into terms: ${ANALYSER_NAMES.join(' or ')}`,
    }),
    memoryBytes: Type.Integer({
      default: 128 * MIB,
      minimum: 64 * 1024,
      description: 'memory in which an index job sorts before it spills to disk, in bytes',
    }),
    anchorsPerTarget: Type.Integer({
      default: 100,
      minimum: 0,
      maximum: 10_000,
      description: 'distinct link texts that are indexed with the page they lead to',
    }),
    ownSiteAnchorsPerTarget: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 10_000,
      description: 'of them at most so many that only pages of the same host use',
    }),
    ownSiteLinkPercent: Type.Integer({
      default: 25,
      minimum: 0,
      maximum: 100,
      description: 'what a link from the same host counts, in percent of one from elsewhere',
    }),
    staticScorePercent: Type.Integer({
      default: 100,
      minimum: 0,
      maximum: 10_000,
      description:
        'strength of the in-links in the score, in percent of the normal one; 0 ranks by words alone',
    }),
  }),
);

export type IndexerConfig = Static<typeof indexerConfig.schema>;
