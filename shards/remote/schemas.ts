import { type TProperties, Type } from 'typebox';
import { FIELD_NAMES, type FieldName } from '../values/fields.ts';
import { SLOT_COUNT } from '../values/hash.ts';

/**
 * Payloads of the protocol, one schema each: PROTOCOL.md says what they mean. Bounds are above all that Quarry itself
 * sends; their purpose is that nothing a stranger sends costs more than its own length.
 */

/** Length in UTF-16 units of names, hosts, path prefixes, error texts. */
const MAX_LINE = 8192;
const MAX_TERM = 1024;
const MAX_LIST = 4096;
/** As many groups as a plan may score. */
const MAX_PREFIXES = 64;
const MAX_U32 = 0xffff_ffff;
/** Deepest page of results that a broker shows (query/broker/request.ts). */
export const MAX_HITS = 1100;
const MAX_BUDGET_MS = 3_600_000;

const closed = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });
const natural = (maximum: number) => Type.Integer({ minimum: 0, maximum });
const u32 = natural(MAX_U32);
const count = natural(Number.MAX_SAFE_INTEGER);
const duration = Type.Number({ minimum: 0, maximum: MAX_BUDGET_MS });
const line = Type.String({ maxLength: MAX_LINE });
const bytes = Type.Refine(
  Type.Unsafe<Uint8Array>(Type.Any()),
  (value) => value instanceof Uint8Array,
  () => 'must be bytes',
);
const key = Type.Refine(
  bytes,
  ({ length }) => length === 8,
  () => 'must be 8 bytes',
);
const terms = Type.Array(Type.String({ maxLength: MAX_TERM }), { maxItems: MAX_LIST });

const termGroup = closed({ terms, weight: natural(0xffff) });
const phrase = closed({
  words: Type.Array(closed({ group: termGroup, offset: u32 }), { maxItems: MAX_LIST }),
});
const site = closed({ host: line, pathPrefix: line });
const list = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Array(item, { maxItems: MAX_LIST });

export const plan = closed({
  epoch: u32,
  optional: list(termGroup),
  required: list(termGroup),
  phrases: list(phrase),
  excluded: list(termGroup),
  excludedPhrases: list(phrase),
  sites: list(site),
  excludedSites: list(site),
});

const totalLengths = closed(
  Object.fromEntries(FIELD_NAMES.map((field) => [field, count])) as Record<FieldName, typeof count>,
);

export const status = closed({
  generation: u32,
  commit: u32,
  epoch: u32,
  epochs: Type.Array(u32, { maxItems: MAX_LIST }),
  shardCount: natural(SLOT_COUNT),
  analyser: line,
  shards: Type.Array(
    closed({
      shard: natural(SLOT_COUNT - 1),
      docCount: u32,
      deletedCount: u32,
      segmentCount: u32,
      bytes: count,
      totalLengths,
    }),
    { maxItems: SLOT_COUNT },
  ),
});

/** First bytes of a hello, so that a stranger is told from an older Quarry. */
export const MAGIC = 'quarry-shard';

export const hello = closed({
  magic: Type.Literal(MAGIC),
  oldest: u32,
  newest: u32,
  token: Type.Optional(line),
});
export const welcome = closed({ protocol: u32, version: line, status });

export const failure = closed({ code: line, exit: natural(2), message: line });

export const searchRequest = closed({
  plan,
  k: natural(MAX_HITS),
  evaluation: Type.Enum(['pruned', 'exhaustive']),
  budgetMs: duration,
  countLimit: Type.Optional(u32),
  tiers: Type.Optional(Type.Enum(['guaranteed', 'all', 'upper', 'low'])),
  frequenciesOf: Type.Optional(terms),
});
export const searchAnswer = closed({
  shards: Type.Array(
    closed({
      shard: natural(SLOT_COUNT - 1),
      status: Type.Enum(['ok', 'truncated', 'failed', 'timedOut']),
      error: Type.Optional(line),
      hits: bytes,
      total: closed({ value: u32, relation: Type.Enum(['eq', 'gte']) }),
      docCount: u32,
      lowTier: Type.Optional(Type.Enum(['searched', 'skipped'])),
      frequencies: Type.Optional(Type.Array(u32, { maxItems: MAX_LIST })),
    }),
    { maxItems: SLOT_COUNT },
  ),
  queueMs: duration,
  searchMs: duration,
});

export const fetchRequest = closed({ hits: bytes, groups: list(terms), passageLength: natural(0xffff) });

const pageHead = {
  url: Type.String(),
  title: Type.String(),
  lang: Type.String(),
  type: Type.String(),
  fetchedAtMs: Type.Number(),
};
export const fetchAnswer = Type.Array(
  closed({ ...pageHead, passage: Type.Array(closed({ text: Type.String(), hit: Type.Boolean() })) }),
  { maxItems: MAX_HITS },
);

export const pageRequest = closed({ key });
export const pageAnswer = Type.Union([Type.Null(), closed({ ...pageHead, text: Type.String() })]);

export const explainRequest = closed({ plan, key });
const explanation = Type.Cyclic(
  {
    Factor: closed({
      value: Type.Number(),
      what: Type.String(),
      parts: Type.Optional(Type.Array(Type.Ref('Factor'))),
    }),
  },
  'Factor',
);
export const explainAnswer = Type.Union([Type.Null(), explanation]);

export const empty = Type.Null();

export const expandRequest = closed({
  epoch: u32,
  prefixes: Type.Array(Type.String({ minLength: 1, maxLength: MAX_TERM }), { maxItems: MAX_PREFIXES }),
  limit: Type.Integer({ minimum: 1, maximum: MAX_LIST }),
});
export const expandAnswer = Type.Array(terms, { maxItems: MAX_PREFIXES });

/** `have`: the newest epoch that the asker has. */
export const statisticsRequest = closed({ epoch: Type.Optional(u32), have: Type.Optional(u32) });

const shardVersion = { shard: natural(SLOT_COUNT - 1), version: line };
export const contributionsRequest = Type.Array(closed(shardVersion), { maxItems: SLOT_COUNT });
export const contributionsAnswer = Type.Array(
  closed({ ...shardVersion, bytes: Type.Union([Type.Null(), bytes]) }),
  { maxItems: SLOT_COUNT },
);
