import Type from 'typebox';
import { defineConfig } from '../shards/index.ts';
import { SCOPES } from './url/filters.ts';

const text = (description: string) => Type.String({ default: '', description });
const list = (description: string) => Type.Array(Type.String(), { default: [], description });

const selectors = {
  content: text('CSS selector: only what it matches is content'),
  strip: text('CSS selector: what it matches is left out'),
  title: text('CSS selector: the first match is the title'),
};

const hostSettings = Type.Object(
  {
    content: Type.Optional(Type.String()),
    strip: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** Every setting of a crawl: type, default, unit, range, help text. Options of `crawl-and-index` have the same names. */
export const crawlConfig = defineConfig(
  Type.Object({
    seeds: list('URLs to start from; without a scheme https is tried, then http'),
    maxPages: Type.Integer({
      default: 0,
      minimum: 0,
      description: 'stop after this many pages answered with 200; 0 = no limit',
    }),
    maxDepth: Type.Integer({
      default: 32,
      minimum: 0,
      maximum: 10_000,
      description: 'links followed from a seed at most',
    }),
    maxTimeS: Type.Number({
      default: 0,
      minimum: 0,
      description: 'stop after this time: seconds, or 10m, 2h; 0 = no limit',
    }),
    maxDiskBytes: Type.Integer({
      default: 0,
      minimum: 0,
      description: 'stop when the data folder holds this much: bytes, or 500M, 2G; 0 = no limit',
    }),
    scope: Type.Enum([...SCOPES], {
      default: 'host',
      description: 'links followed: to the hosts of the seeds, their domains, below the seeds’ folders, any',
    }),
    include: list('regular expressions; a link must match one of them'),
    exclude: list('regular expressions; a link must match none of them'),
    includeDomain: list('domains that belong to the crawl beside its scope'),
    excludeDomain: list('domains that are left out'),
    excludeExtension: list('endings of paths that are left out, without the dot'),
    relNofollow: Type.Enum(['none', 'otherHosts', 'all'], {
      default: 'otherHosts',
      description: 'which links marked rel=nofollow are not followed (HTML: not vouched for by the author)',
    }),
    agent: text('User-Agent; its first word is the name that robots.txt is read for'),
    contact: text('URL or mail address at which site owners reach you; added to the default agent'),
    delayMs: Type.Number({
      default: 1000,
      minimum: 0,
      description: 'least wait between two requests to a host, ms from the end of the answer',
    }),
    politeness: Type.Number({
      default: 10,
      minimum: 0,
      description: 'the wait is also this many times the duration of the last fetch',
    }),
    concurrency: Type.Integer({
      default: 32,
      minimum: 1,
      maximum: 4096,
      description: 'requests under way at the same time',
    }),
    parseWorkers: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 64,
      description: 'threads that parse pages',
    }),
    dns: text('name server to ask instead of the system’s, ADDRESS or ADDRESS:PORT'),
    allowPrivate: Type.Boolean({
      default: false,
      description: 'also hosts other than the seeds’ may stand on private addresses',
    }),
    ...selectors,
    hosts: Type.Record(Type.String(), hostSettings, {
      default: {},
      description: 'content, strip and title for single hosts, by host name',
    }),
    bodies: Type.Boolean({ default: true, description: 'keep the bodies of pages in the page log' }),
    fresh: Type.Boolean({ default: false, description: 'visit all known pages again, not only those due' }),
    scorer: text('module that scores pages for focused crawling'),
    scorerModel: text('file that the scorer module is given'),
  }),
);

export type CrawlConfig = ReturnType<typeof crawlConfig.parse>;
