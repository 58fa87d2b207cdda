import { html, notFound, startWeb, type TestWeb, type WebAnswer } from './web.ts';

/** A deterministic sequence from 0 up to 1 (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const HOSTS = ['127.0.3.1', '127.0.3.2', '127.0.3.3'] as const;
const WORDS = 'alder birch cedar elm fir hazel juniper larch maple oak pine rowan spruce willow yew'.split(
  ' ',
);
const WORDS_PER_PAGE = 12;
/** Every so many pages is one of this kind, when no earlier kind claims it. */
const EVERY = { copy: 11, redirect: 13, missing: 17, noindex: 19, plain: 23 } as const;
/** Pages that a page leads to and no other does, and links to just any. */
const CHILDREN = 4;
const OTHERS = 3;

type Kind = keyof typeof EVERY | 'page';

interface Sheet {
  readonly kind: Kind;
  readonly title: string;
  readonly text: string;
  /** Indexes of sheets; a redirect's first is its target. */
  readonly links: number[];
}

export interface GeneratedWeb extends AsyncDisposable {
  readonly web: TestWeb;
  /** One address per host. */
  readonly seeds: readonly string[];
  /** URLs with the same text; an index of this web must hold just one of each. */
  readonly documents: readonly (readonly string[])[];
  /** What each URL of it answers. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface GeneratedWebOptions {
  readonly pageCount: number;
  readonly seed?: number;
  /** Wait before each answer. */
  readonly delayMs?: number;
}

/** The first sheets are plain pages, so that each sheet has a page before it that leads to it. */
const kindOf = (index: number): Kind => {
  if (index < HOSTS.length * 2) return 'page';
  const found = Object.entries(EVERY).find(([, every]) => index % every === 0);
  return (found?.[0] ?? 'page') as Kind;
};

const writeSheets = (pageCount: number, random: () => number): Sheet[] => {
  const pick = (count: number): number => Math.floor(random() * count);
  const words = (): string =>
    Array.from({ length: WORDS_PER_PAGE }, () => WORDS[pick(WORDS.length)]).join(' ');
  const sheets: Sheet[] = [];
  const pages: Sheet[] = [];
  for (let index = 0; index < pageCount; index += 1) {
    const kind = kindOf(index);
    const last = pages.at(-1);
    const own = {
      kind,
      title: `Page ${index}`,
      text: `forest tree ${words()} number${index}`,
      links: Array.from({ length: OTHERS }, () => pick(pageCount)),
    };
    const sheet: Sheet = kind === 'copy' && last !== undefined ? { ...last, kind } : own;
    pages[Math.floor((index - HOSTS.length) / CHILDREN)]?.links.push(index);
    sheets.push(sheet);
    if (kind === 'page') pages.push(sheet);
  }
  return sheets;
};

/**
 * A web of numbered pages on three loopback addresses. All have the words `forest` and `tree`, and equally many words,
 * so that many of them score alike. Among them are copies, redirects, links that lead nowhere, pages that do not want to
 * be indexed, and plain text.
 */
export const startGeneratedWeb = async (options: GeneratedWebOptions): Promise<GeneratedWeb> => {
  const { pageCount, delayMs = 0, seed = 1 } = options;
  const sheets = writeSheets(pageCount, seededRandom(seed));
  const hostAt = (index: number): string => HOSTS[index % HOSTS.length] ?? HOSTS[0];
  const pathAt = (index: number): string => (index < HOSTS.length ? '/' : `/page/${index}`);
  const indexAt = new Map(sheets.map((_, index) => [`${hostAt(index)}${pathAt(index)}`, index]));
  let urlAt = (_index: number): string => '';
  const answer =
    (host: string) =>
    (path: string): WebAnswer => {
      const sheet = sheets[indexAt.get(`${host}${path}`) ?? -1];
      return { ...(sheet === undefined ? notFound : render(sheet, urlAt)), delayMs };
    };
  const web = await startWeb(
    Object.fromEntries(HOSTS.map((host) => [host, { address: host, answer: answer(host) }])),
  );
  urlAt = (index) => web.url(hostAt(index), pathAt(index));
  return {
    web,
    seeds: HOSTS.map((host) => web.url(host)),
    documents: documentsOf(sheets).map((group) => group.map(urlAt)),
    statuses: Object.fromEntries(
      sheets.map((sheet, index) => [urlAt(index), render(sheet, urlAt).status ?? 200]),
    ),
    [Symbol.asyncDispose]: () => web.close(),
  };
};

const render = ({ kind, title, text, links }: Sheet, urlAt: (index: number) => string): WebAnswer => {
  const urls = links.map(urlAt);
  switch (kind) {
    case 'missing':
      return notFound;
    case 'redirect':
      return { status: 301, headers: { location: urls[0] ?? '' } };
    case 'plain':
      return { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
    case 'noindex':
      return html(title, text, urls, '<meta name="robots" content="noindex">');
    case 'page':
    case 'copy':
      return html(title, text, urls);
  }
};

/** Indexes of pages by their text. */
const documentsOf = (sheets: readonly Sheet[]): number[][] => {
  const groups = new Map<string, number[]>();
  for (const [index, { kind, text }] of sheets.entries()) {
    if (kind === 'page' || kind === 'copy' || kind === 'plain') {
      groups.set(text, [...(groups.get(text) ?? []), index]);
    }
  }
  return [...groups.values()];
};
