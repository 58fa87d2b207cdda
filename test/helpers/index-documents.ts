import fc from 'fast-check';
import { createAnalyser } from '../../shards/text/analyser.ts';
import { BLOCK_GAP } from '../../shards/text/token.ts';
import type { IndexDocument } from '../../shards/values/document.ts';
import { FIELD_NAMES, type FieldName } from '../../shards/values/fields.ts';
import { trustNormalUrl } from '../../shards/values/ids.ts';
import { segmentOrderKey } from '../../shards/values/url.ts';
import type { MemoryDocument } from './memory-segment.ts';

/** A small document; everything but the URL has a default. */
export const indexDocument = (
  url: string,
  parts: Partial<Omit<IndexDocument, 'url'>> = {},
): IndexDocument => ({
  url: trustNormalUrl(url),
  title: '',
  fields: [],
  storedText: '',
  lang: 'en',
  type: 'text/html',
  fetchedAtMs: 1_700_000_000_000,
  staticScore: 0,
  ...parts,
});

const WORDS = [
  'crawl',
  'crawls',
  'shard',
  'index',
  'the',
  'ranking',
  'C++',
  '検索エンジン',
  'naïve',
  '😀',
  'x',
];
const word = fc.constantFrom(...WORDS);

/** Terms of a text, as the default chain cuts English and German. */
export const termsOf = (text: string): ReadonlySet<string> => {
  const analyser = createAnalyser('default');
  return new Set(['en', 'de', ''].flatMap((lang) => analyser.analyse(text, lang).map(({ term }) => term)));
};

/** All terms of `indexDocuments`. */
export const INDEX_TERMS = termsOf(WORDS.join(' '));

const text = fc
  .array(word, { maxLength: 8 })
  .map((words) => words.join(' ').replace('shard index', 'shard\nindex'));
const fields = fc.array(
  fc.record({
    field: fc.oneof(
      { weight: 5, arbitrary: fc.constant<FieldName>('body') },
      fc.constantFrom(...FIELD_NAMES),
    ),
    text,
  }),
  { maxLength: 5 },
);
const url = fc
  .record({
    host: fc.constantFrom(
      'example.org',
      'www.example.org',
      'example.org-x.net',
      'example.com:8080',
      'a.b.example.org',
    ),
    scheme: fc.constantFrom('http', 'https'),
    path: fc.constantFrom('', 'docs/', 'docs/a', 'docs-old/', 'blog/2024', 'blog?page=1'),
  })
  .map(({ host, scheme, path }) => `${scheme}://${host}/${path}`);
const kind = fc.record({
  title: text,
  fields,
  storedText: text,
  lang: fc.constantFrom('en', 'de', ''),
  type: fc.constantFrom('text/html', 'text/plain'),
  staticScore: fc.nat({ max: 0x7fffffff }),
});

/** Up to some hundred documents with distinct URLs, on several hosts, in no order. */
export const indexDocuments: fc.Arbitrary<IndexDocument[]> = fc
  .record({
    kinds: fc.array(kind, { minLength: 1, maxLength: 5 }),
    urls: fc.array(url, { minLength: 1, maxLength: 24, size: 'max' }),
    repeats: fc.constantFrom(1, 8, 24),
  })
  .map(({ kinds, urls, repeats }) =>
    Array.from({ length: repeats }, (_, round) =>
      urls.map((base, i) => {
        const at =
          i === 0 && round === 0
            ? 'id:first%20one'
            : `${base}${base.includes('?') ? '&' : '?'}n=${round}.${i}`;
        return indexDocument(at, { ...kinds[(i * 7 + round) % kinds.length], fetchedAtMs: i });
      }),
    ).flat(),
  );

/** Sorted as a segment sorts them. */
export const inSegmentOrder = (documents: readonly IndexDocument[]): IndexDocument[] =>
  [...documents].sort((a, b) => (segmentOrderKey(a.url) < segmentOrderKey(b.url) ? -1 : 1));

/** What the default analyser makes of a document, for MemorySegment. */
export const analysedDocument = (document: IndexDocument): MemoryDocument => {
  const analyser = createAnalyser('default');
  const cut = (field: FieldName) => {
    const tokens = new Map<string, { term: string; position: number }>();
    let base = 0;
    for (const part of document.fields.filter((candidate) => candidate.field === field)) {
      const found = analyser.analyse(part.text, document.lang);
      for (const { term, position } of found) {
        tokens.set(`${base + position} ${term}`, { term, position: base + position });
      }
      const last = found.at(-1);
      if (last) base += last.position + 1 + BLOCK_GAP;
    }
    return [...tokens.values()];
  };
  return {
    url: document.url,
    fields: Object.fromEntries(FIELD_NAMES.map((field) => [field, cut(field)])),
    staticScore: document.staticScore,
    lang: document.lang,
    text: document.storedText,
    title: document.title,
  };
};
