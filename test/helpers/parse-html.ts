import type { ParsedPage, ParseInput } from '../../crawler/index.ts';
import { normaliseUrl, parsePage } from '../../crawler/index.ts';
import type { FieldName, NormalUrl } from '../../shards/index.ts';

export const PAGE_URL = normaliseUrl('http://h.test/a/b.html') as NormalUrl;

/** A page of UTF-8 HTML at `PAGE_URL`, unless told otherwise. */
export const parseHtml = (html: string | Uint8Array, more: Partial<ParseInput> = {}): ParsedPage =>
  parsePage({
    url: PAGE_URL,
    body: typeof html === 'string' ? Buffer.from(html) : html,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    agent: 'quarry',
    ...more,
  });

export const fieldOf = (page: ParsedPage, wanted: FieldName): string =>
  page.fields.find(({ field }) => field === wanted)?.text ?? '';
