import { domainToUnicode } from 'node:url';
import {
  type FieldText,
  type IndexDocument,
  idOfUrl,
  languageOfText,
  type NormalUrl,
  staticScoreOfInLinks,
} from '../../shards/index.ts';
import { type Anchor, type InLinks, weighLinks } from './collect-in-links.ts';
import type { LatestPage } from './latest-records.ts';

export interface DocumentSettings {
  readonly ownSiteLinkPercent: number;
  readonly staticScorePercent: number;
  /** Title and text go into the body, as a peer with one field indexes them, and nothing else is searched. */
  readonly isSingleField?: boolean;
}

const MAX_STATIC_SCORE = 2 ** 31 - 1;
/** An anchor that many pages use is said again, at most so often: twice the pages, one time more. */
const MAX_ANCHOR_REPEATS = 4;

/** A page together with what others say about it, as the shards take it. Pure; equal input gives an equal document. */
export const buildDocument = (
  page: LatestPage,
  inLinks: InLinks | undefined,
  settings: DocumentSettings,
): IndexDocument => {
  const storedText = bodyText(page);
  return {
    url: page.url,
    title: page.title,
    fields: settings.isSingleField === true ? singleField(page, storedText) : allFields(page, inLinks),
    storedText,
    lang: languageOfText(storedText, page.lang),
    type: page.type,
    fetchedAtMs: page.fetchedAtMs,
    staticScore: staticScore(inLinks, settings),
  };
};

const allFields = (page: LatestPage, inLinks: InLinks | undefined): FieldText[] => {
  const fields: FieldText[] = page.fields.filter(({ field }) => field !== 'anchor' && field !== 'url');
  if (!fields.some(({ field }) => field === 'title')) addField(fields, 'title', page.title);
  addField(fields, 'anchor', anchorText(inLinks?.anchors ?? [], page.anchors ?? []));
  addField(fields, 'url', urlText(page.url));
  return fields;
};

const singleField = ({ title }: LatestPage, text: string): FieldText[] => [
  { field: 'body', text: [title, text].filter((part) => part !== '').join('\n') },
];

/** What passages are cut from: all visible text. */
export const bodyText = (page: LatestPage): string =>
  page.fields
    .filter(({ field }) => field === 'body')
    .map(({ text }) => text)
    .join('\n');

const addField = (fields: FieldText[], field: FieldText['field'], text: string): void => {
  if (text !== '') fields.push({ field, text });
};

/** One block per anchor; those given with an import come once each, before the others. */
const anchorText = (anchors: readonly Anchor[], given: readonly string[]): string => {
  const said = anchors.flatMap(({ text, weight }) => Array.from({ length: repeats(weight) }, () => text));
  return [...given.filter((text) => text !== ''), ...said].join('\n');
};

const repeats = (weight: number): number =>
  Math.max(1, Math.min(MAX_ANCHOR_REPEATS, 1 + Math.floor(Math.log2(Math.max(1, weight)))));

/** What is no letter, mark or digit parts the words of a URL. */
const NO_WORD = /[^\p{L}\p{M}\p{N}]+/gu;

/** The words of host and path, in two blocks; '' for a document without URL. */
export const urlText = (url: NormalUrl): string => {
  if (idOfUrl(url) !== undefined) return '';
  const { hostname, pathname, search } = new URL(url);
  const host = words(domainToUnicode(hostname).replace(/^www\./, ''));
  return [host, words(decode(pathname + search))].filter((text) => text !== '').join('\n');
};

const words = (text: string): string => text.replace(NO_WORD, ' ').trim();

/** Escapes that are not UTF-8 stay as they are. */
const decode = (escaped: string): string => {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
};

/** Points for the other pages that link here; integer, 0..2^31-1. */
export const staticScore = (inLinks: InLinks | undefined, settings: DocumentSettings): number => {
  if (inLinks === undefined) return 0;
  const full = staticScoreOfInLinks(weighLinks(inLinks, settings.ownSiteLinkPercent));
  return Math.min(MAX_STATIC_SCORE, Math.round((full * settings.staticScorePercent) / 100));
};
