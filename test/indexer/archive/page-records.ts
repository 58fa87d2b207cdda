import type { GoneRecord, PageRecord, RedirectRecord } from '../../../indexer/index.ts';
import { textHashOf, trustNormalUrl } from '../../../shards/index.ts';

/** A page of `url` with `text` in its body; `rest` overrides. */
export const pageOf = (url: string, text = 'text', rest: Partial<PageRecord> = {}): PageRecord => ({
  kind: 'page',
  url: trustNormalUrl(url),
  redirects: [],
  fetchedAtMs: 1_700_000_000_000,
  fetchMs: 12,
  ip: '127.0.0.1',
  status: 200,
  headers: { 'content-type': 'text/html' },
  charset: 'utf-8',
  type: 'text/html',
  body: Buffer.from(`<p>${text}`),
  title: `Title of ${url}`,
  fields: [{ field: 'body', text }],
  links: [],
  lang: 'en',
  robots: { noindex: false, nofollow: false, noarchive: false },
  truncated: '',
  textHash: textHashOf(rest.title ?? `Title of ${url}`, text),
  depth: 0,
  ...rest,
});

export const redirectOf = (url: string, target: string, status = 301): RedirectRecord => ({
  kind: 'redirect',
  url: trustNormalUrl(url),
  target: trustNormalUrl(target),
  status,
  fetchedAtMs: 1_700_000_000_000,
});

export const goneOf = (url: string, reason = 'not found', status = 404): GoneRecord => ({
  kind: 'gone',
  url: trustNormalUrl(url),
  status,
  fetchedAtMs: 1_700_000_000_000,
  reason,
});
