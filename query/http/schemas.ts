import { type Static, Type } from 'typebox';
import { MAX_FROM, MAX_PAGE_RESULTS, TIER_RULES, type TierRule } from '../broker/request.ts';
import { MAX_QUERY_LENGTH } from '../language/lexer.ts';

/** `0` or `1`, as a query string writes yes and no. */
const flag = (description: string, byDefault: '0' | '1') =>
  Type.Unsafe<'0' | '1'>({ type: 'string', enum: ['0', '1'], default: byDefault, description });

const q = Type.String({
  description: `the query: words, "phrases", -exclusions, beginnings*, site:host/path; read up to ${MAX_QUERY_LENGTH} characters`,
});
const from = Type.Integer({
  minimum: 0,
  maximum: MAX_FROM,
  default: 0,
  description: 'results to leave out first',
});

export const searchQuery = Type.Object(
  {
    q,
    k: Type.Integer({
      minimum: 0,
      maximum: MAX_PAGE_RESULTS,
      default: 10,
      description: 'results wanted; 0 only counts',
    }),
    from,
    snippet: flag('1 adds a passage to each result', '1'),
    tier: Type.Unsafe<TierRule>({
      type: 'string',
      enum: TIER_RULES,
      default: 'auto',
      description:
        'auto skips the low tier where it cannot change the answer, count where the others have enough matches, high always, all never',
    }),
    explain: flag('1 adds the tree of each score', '0'),
  },
  { additionalProperties: false },
);
export type SearchQuery = Static<typeof searchQuery>;

/** Parameters of the page; unknown ones, which links often carry along, are left alone. */
export const pageQuery = Type.Object({ q: Type.Optional(q), from });
export type PageQuery = Static<typeof pageQuery>;

export const storedPageQuery = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'URL of the page, or `id:` and its id' }),
  },
  { additionalProperties: false },
);
export type StoredPageQuery = Static<typeof storedPageQuery>;

export const assetQuery = Type.Object({ v: Type.Optional(Type.String()) });
export const assetParams = Type.Object({ name: Type.String() });

const count = (description: string) => Type.Integer({ minimum: 0, description });
const milliseconds = Type.Number({ minimum: 0 });

const hit = Type.Object({
  url: Type.String(),
  title: Type.String(),
  snippet: Type.Array(Type.Object({ text: Type.String(), hit: Type.Boolean() }), {
    description: 'the best passage in pieces of plain text; `hit` ones are to be marked',
  }),
  score: count('fixed-point score, comparable inside one epoch'),
  site: Type.String({ description: 'host; empty for a document without URL' }),
  lang: Type.String({ description: 'primary language subtag, empty when unknown' }),
  type: Type.String({ description: 'media type' }),
  fetchedAt: Type.String({ description: 'ISO 8601, UTC' }),
  explanation: Type.Optional(
    Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'one factor of the score as a tree: value, what, parts',
    }),
  ),
});

export const searchAnswer = Type.Object({
  query: Type.String(),
  interpreted: Type.String({ description: 'how the query was read, in the query language' }),
  warnings: Type.Array(Type.Object({ code: Type.String(), text: Type.String() })),
  total: Type.Object({
    value: count('matching pages'),
    relation: Type.Unsafe<'eq' | 'gte'>({ type: 'string', enum: ['eq', 'gte'] }),
  }),
  took: Type.Object(
    {
      parse: milliseconds,
      queue: milliseconds,
      search: milliseconds,
      merge: milliseconds,
      fetch: milliseconds,
      total: milliseconds,
    },
    { description: 'milliseconds' },
  ),
  partial: Type.Boolean({ description: 'whether a shard is missing or did not finish' }),
  epoch: count('version of the global statistics that scored the answer'),
  shards: Type.Object({
    total: count('shards of the index'),
    ok: count('answered in full'),
    truncated: count('ran out of time, gave the best so far'),
    failed: count('failed'),
    timedOut: count('gave nothing before the deadline'),
  }),
  missing: Type.Array(
    Type.Object({
      shard: Type.Integer({ description: 'number of the shard; -1 for all of a node that never answered' }),
      status: Type.String({ description: 'truncated, failed or timedOut' }),
    }),
    { description: 'which shards did not answer in full' },
  ),
  coverage: Type.Object({
    docs: count('pages in shards that answered in full'),
    total: count('pages in all'),
  }),
  tiers: Type.Object(
    {
      high: Type.String(),
      low: Type.String({ description: 'searched, or skipped in every shard' }),
      exact: Type.Boolean({ description: 'whether what was skipped could not have changed the hits' }),
    },
    { description: 'the best documents of the index by static score, and the rest' },
  ),
  hits: Type.Array(hit),
});

const shardStatus = Type.Object({
  shard: count('number'),
  docCount: count('pages'),
  deletedCount: count('deleted pages that still take room'),
  segmentCount: count('segments'),
  bytes: count('bytes on disk'),
});

export const statusAnswer = Type.Object({
  version: Type.String(),
  epoch: count('version of the global statistics'),
  docCount: count('pages of the index'),
  languages: Type.Array(Type.Object({ lang: Type.String(), docCount: count('pages') })),
  drift: Type.Object(
    {
      documents: Type.Number(),
      averageLengths: Type.Record(Type.String(), Type.Number()),
      frequencies: Type.Optional(Type.Number({ description: 'of words searched for, without sign' })),
    },
    { description: 'relative change of the index since the statistics in force' },
  ),
  contributions: Type.Array(
    Type.Object({
      shard: count('number'),
      ageMs: Type.Number({ description: 'milliseconds since it was last found as the statistics count it' }),
      isLive: Type.Boolean(),
    }),
  ),
  nodes: Type.Array(
    Type.Object({
      generation: Type.Optional(count('generation of the shards')),
      error: Type.Optional(Type.String()),
      shards: Type.Array(shardStatus),
    }),
  ),
});

export const healthAnswer = Type.Object({ status: Type.String() });

/** RFC 9457, section 3. */
export const problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.Optional(Type.String()),
  errors: Type.Optional(
    Type.Array(Type.Object({ in: Type.String(), name: Type.String(), detail: Type.String() })),
  ),
});
export type Problem = Static<typeof problem>;
