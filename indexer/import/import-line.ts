import { type FieldText, idUrl, type NormalUrl, textHashOf } from '../../shards/index.ts';
import type { PageRecord } from '../archive/record.ts';

/** The normal form of an absolute http(s) URL, or in words why it has none. */
export type Normalise = (url: string) => { readonly url: NormalUrl } | { readonly error: string };

interface Given {
  readonly [key: string]: unknown;
}

const LANGUAGE = /^([a-z]{2,3})(?:[-_][a-z0-9]+)*$/i;

/**
 * The page record of one line `{url | id, title?, text, anchors?, lang?, fetchedAt?}`, or in words what is wrong with
 * it. `url` counts before `id`; other keys are passed over. `fetchedAt` is a date as Date.parse reads it or
 * milliseconds since 1970, `nowMs` without it.
 */
export const recordOfLine = (line: string, normalise: Normalise, nowMs: number): PageRecord | string => {
  const given = parseObject(line);
  if (typeof given === 'string') return given;
  const url = urlOf(given, normalise);
  if ('refused' in url) return url.refused;
  const { title = '', text, anchors = [], lang = '' } = given;
  if (typeof text !== 'string') return 'text must be a string';
  if (typeof title !== 'string') return 'title must be a string';
  if (!isStrings(anchors)) return 'anchors must be an array of strings';
  const language = typeof lang === 'string' ? primaryLanguage(lang) : undefined;
  if (language === undefined) return 'lang must be a language tag such as "en"';
  const fetchedAtMs = timeOf(given['fetchedAt'], nowMs);
  if (fetchedAtMs === undefined) return 'fetchedAt must be a date or milliseconds since 1970';
  return {
    ...IMPORTED,
    url: url.url,
    fetchedAtMs,
    title,
    fields: fieldsOf(title, text),
    lang: language,
    textHash: textHashOf(title, text),
    ...(anchors.length === 0 ? {} : { anchors }),
  };
};

/** What an import cannot know, since nothing was fetched. */
const IMPORTED = {
  kind: 'page',
  redirects: [],
  fetchMs: 0,
  ip: '',
  status: 200,
  headers: {},
  charset: 'utf-8',
  type: 'text/plain',
  links: [],
  robots: { noindex: false, nofollow: false, noarchive: false },
  truncated: '',
  depth: 0,
} as const;

const parseObject = (line: string): Given | string => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Given)
    : 'not a JSON object';
};

const urlOf = (
  { url, id }: Given,
  normalise: Normalise,
): { readonly url: NormalUrl } | { readonly refused: string } => {
  if (url !== undefined) {
    const normal = typeof url === 'string' ? normalise(url) : { error: 'not a string' };
    if ('url' in normal) return normal;
    return { refused: `url must be an absolute http or https URL (${normal.error})` };
  }
  if (typeof id === 'number' && Number.isSafeInteger(id)) return { url: idUrl(String(id)) };
  if (typeof id === 'string' && id !== '' && !LONE_SURROGATE.test(id)) return { url: idUrl(id) };
  return { refused: 'url or id is missing; an id is a string that is not empty, or a whole number' };
};

const LONE_SURROGATE = /\p{Surrogate}/u;

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const primaryLanguage = (tag: string): string | undefined =>
  tag === '' ? '' : LANGUAGE.exec(tag)?.[1]?.toLowerCase();

/** Farther from 1970 there are no dates (ECMAScript, 21.4.1.1). */
const MAX_TIME_MS = 8.64e15;

const timeOf = (value: unknown, nowMs: number): number | undefined => {
  if (value === undefined) return nowMs;
  const timeMs = typeof value === 'string' ? Date.parse(value) : value;
  return typeof timeMs === 'number' && Math.abs(timeMs) <= MAX_TIME_MS ? timeMs : undefined;
};

const fieldsOf = (title: string, text: string): FieldText[] => {
  const fields: FieldText[] = [];
  if (title !== '') fields.push({ field: 'title', text: title });
  if (text !== '') fields.push({ field: 'body', text });
  return fields;
};
