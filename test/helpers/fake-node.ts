import {
  type Analyser,
  type ExpandRequest,
  epochNumber,
  type FetchedPage,
  FIELD_NAMES,
  type FieldName,
  hostOfUrl,
  type IndexStatistics,
  type PhraseClause,
  type QueryPlan,
  type QueryWord,
  type SearchAnswer,
  type SearchRequest,
  type ShardAnswer,
  type ShardClient,
  type ShardHit,
  type SiteFilter,
  type StoredPage,
  type TermGroup,
  type Token,
  trustNormalUrl,
  urlKey,
} from '../../shards/index.ts';

/** A page of the fake index. */
export interface FakePage {
  readonly url: string;
  readonly title?: string;
  readonly text: string;
  readonly lang?: string;
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Lower-case runs of letters and digits; plural `s` is the only stem of the language `en`. */
export const plainAnalyser: Analyser = {
  name: 'plain',
  analyse: (text, lang) =>
    [...text.matchAll(WORD)].map((match, position): Token => {
      const word = match[0].toLowerCase();
      const term = lang === 'en' ? word.replace(/(?<=..)s$/, '') : word;
      return { term, position, start: match.index, end: match.index + match[0].length };
    }),
  prefixOf: (text) => (/^[\p{L}\p{N}]+$/u.test(text) ? text.toLowerCase() : ''),
  analyseQuery: (text, langs) =>
    [...text.matchAll(WORD)].map((match, position): QueryWord => {
      const word = match[0].toLowerCase();
      const stem = langs.includes('en') ? word.replace(/(?<=..)s$/, '') : word;
      return {
        terms: [...new Set([stem, word])],
        position,
        start: match.index,
        end: match.index + match[0].length,
      };
    }),
};

interface IndexedPage extends FakePage {
  readonly key: ReturnType<typeof urlKey>;
  readonly terms: readonly string[];
}

export interface FakeNodeOptions {
  readonly pages: readonly FakePage[];
  /** Pages of the whole index, from which statistics come; default `pages`. */
  readonly allPages?: readonly FakePage[];
  /** Shards of this node, default [0]; a page goes to the one that its key names modulo their number. */
  readonly shards?: readonly number[];
  readonly epoch?: number;
  readonly generation?: number;
}

/** A node over pages in memory that evaluates plans by reading every page: the slow obvious way. */
export class FakeNode implements ShardClient {
  readonly requests: SearchRequest[] = [];
  fetchCount = 0;
  closed = false;
  epoch: number;
  generation: number;
  commit = 1;
  readonly #pages: readonly IndexedPage[];
  readonly #all: readonly IndexedPage[];
  readonly #shards: readonly number[];

  constructor(options: FakeNodeOptions) {
    this.#pages = options.pages.map(indexPage);
    this.#all = (options.allPages ?? options.pages).map(indexPage);
    this.#shards = options.shards ?? [0];
    this.epoch = options.epoch ?? 1;
    this.generation = options.generation ?? 1;
  }

  async search(request: SearchRequest, _signal?: AbortSignal): Promise<SearchAnswer> {
    this.requests.push(request);
    return {
      shards: this.#shards.map((shard) => this.#searchShard(shard, request)),
      queueMs: 0,
      searchMs: 0,
    };
  }

  #searchShard(shard: number, { plan, k }: SearchRequest): ShardAnswer {
    const hits = this.#pages
      .map((page, doc) => ({ page, doc }))
      .filter(({ page }) => this.#shardOf(page) === shard && matches(page, plan))
      .map(
        ({ page, doc }): ShardHit => ({ key: page.key, score: scoreOf(page, plan), shard, segment: 0, doc }),
      )
      .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
    const docCount = this.#pages.filter((page) => this.#shardOf(page) === shard).length;
    return {
      shard,
      status: 'ok',
      hits: hits.slice(0, k),
      total: { value: hits.length, relation: 'eq' },
      docCount,
    };
  }

  #shardOf(page: IndexedPage): number | undefined {
    return this.#shards[Number(page.key % BigInt(this.#shards.length))];
  }

  async fetch({ hits, groups, passageLength }: Parameters<ShardClient['fetch']>[0]): Promise<FetchedPage[]> {
    this.fetchCount += 1;
    return hits.map(({ doc }) => {
      const page = this.#pages[doc];
      if (page === undefined) throw new Error(`no document ${doc}`);
      return {
        ...storedPage(page),
        passage: groups.length === 0 ? [] : passageOf(page.text, groups.flat(), passageLength),
      };
    });
  }

  async page(key: bigint): Promise<StoredPage | undefined> {
    const page = this.#pages.find((candidate) => candidate.key === key);
    return page && storedPage(page);
  }

  async explain(plan: QueryPlan, key: bigint) {
    const page = this.#pages.find((candidate) => candidate.key === key);
    return page && { value: scoreOf(page, plan), what: 'score', parts: [] };
  }

  async expand({ prefixes, limit }: ExpandRequest): Promise<string[][]> {
    const statistics = await this.statistics();
    const terms = [...new Set(this.#pages.flatMap((page) => page.terms))].sort();
    return prefixes.map((prefix) =>
      terms
        .filter((term) => term.startsWith(prefix))
        .sort((a, b) => statistics.documentFrequency(b) - statistics.documentFrequency(a))
        .slice(0, limit),
    );
  }

  async statistics(): Promise<IndexStatistics> {
    const lengths = FIELD_NAMES.map((field): [FieldName, number] => [field, field === 'body' ? 10 : 1]);
    return {
      epoch: epochNumber(this.epoch),
      docCount: this.#all.length,
      averageLengths: Object.fromEntries(lengths) as Record<FieldName, number>,
      highTierThreshold: 0,
      documentFrequency: (term) => this.#all.filter(({ terms }) => terms.includes(term)).length,
      languages: [{ lang: 'en', docCount: this.#all.length }],
    };
  }

  async status() {
    return {
      generation: this.generation,
      commit: this.commit,
      analyser: 'default',
      epoch: epochNumber(this.epoch),
      epochs: [epochNumber(this.epoch)],
      shardCount: Math.max(...this.#shards) + 1,
      shards: this.#shards.map((shard) => ({
        shard,
        docCount: this.#pages.filter((page) => this.#shardOf(page) === shard).length,
        deletedCount: 0,
        segmentCount: 1,
        bytes: 1024,
        totalLengths: Object.fromEntries(FIELD_NAMES.map((field) => [field, 0])) as Record<FieldName, number>,
      })),
    };
  }

  async contributions(): Promise<[]> {
    return [];
  }

  async stage(): Promise<void> {}

  async close(): Promise<void> {
    this.closed = true;
  }
}

const indexPage = (page: FakePage): IndexedPage => ({
  ...page,
  key: urlKey(trustNormalUrl(page.url)),
  terms: plainAnalyser.analyse(`${page.title ?? ''} ${page.text}`, page.lang ?? 'en').map(({ term }) => term),
});

const storedPage = (page: IndexedPage): StoredPage => ({
  url: trustNormalUrl(page.url),
  title: page.title ?? '',
  text: page.text,
  lang: page.lang ?? 'en',
  type: 'text/html',
  fetchedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
});

const holds = (page: IndexedPage, group: TermGroup): boolean =>
  group.terms.some((term) => page.terms.includes(term));

const holdsPhrase = (page: IndexedPage, phrase: PhraseClause): boolean =>
  page.terms.some((_, start) =>
    phrase.words.every(({ group, offset }) => group.terms.includes(page.terms[start + offset] ?? '')),
  );

const inSite = (page: IndexedPage, { host, pathPrefix }: SiteFilter): boolean => {
  const pageHost = hostOfUrl(trustNormalUrl(page.url));
  const path = page.url.startsWith('id:') ? '' : new URL(page.url).pathname;
  return (pageHost === host || pageHost.endsWith(`.${host}`)) && path.startsWith(pathPrefix);
};

const matches = (page: IndexedPage, plan: QueryPlan): boolean => {
  if (plan.excluded.some((group) => holds(page, group))) return false;
  if (plan.excludedPhrases.some((phrase) => holdsPhrase(page, phrase))) return false;
  if (plan.sites.length > 0 && !plan.sites.some((site) => inSite(page, site))) return false;
  if (plan.excludedSites.some((site) => inSite(page, site))) return false;
  if (!plan.required.every((group) => holds(page, group))) return false;
  if (!plan.phrases.every((phrase) => holdsPhrase(page, phrase))) return false;
  if (plan.required.length + plan.phrases.length > 0 || plan.optional.length === 0) return true;
  return plan.optional.some((group) => holds(page, group));
};

const scoreOf = (page: IndexedPage, plan: QueryPlan): number => {
  const phraseGroups = plan.phrases.flatMap(({ words }) => words.map(({ group }) => group));
  return [...plan.optional, ...plan.required, ...phraseGroups]
    .map(({ terms, weight }) => {
      const frequency = page.terms.filter((term) => terms.includes(term)).length;
      return (weight * Math.floor((65535 * frequency) / (frequency + 1))) >>> 7;
    })
    .reduce((sum, part) => sum + part, 0);
};

const passageOf = (text: string, terms: readonly string[], length: number) => {
  const pieces: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const token of plainAnalyser.analyse(text.slice(0, length), 'en')) {
    if (!terms.includes(token.term)) continue;
    if (token.start > at) pieces.push({ text: text.slice(at, token.start), hit: false });
    pieces.push({ text: text.slice(token.start, token.end), hit: true });
    at = token.end;
  }
  pieces.push({ text: text.slice(at, length), hit: false });
  return pieces;
};
