import type { PageLink } from '../../indexer/index.ts';
import type { FieldName, FieldText, NormalUrl } from '../../shards/index.ts';
import { FIELD_NAMES, textHashOf } from '../../shards/index.ts';
import { productToken } from '../robots/parse.ts';
import { normaliseUrl } from '../url/normalise.ts';
import { decodeAgain, decodeBody } from './charset.ts';
import { readHtml } from './html-events.ts';
import type { RawLink } from './html-links.ts';
import type { HtmlContent } from './html-page.ts';
import { HtmlPage } from './html-page.ts';
import { inflate } from './inflate.ts';
import { canonicalOfHeader } from './link-header.ts';
import { parseRefresh } from './meta-refresh.ts';
import type { PageKind } from './mime.ts';
import { kindOf, parseContentType, sniffType } from './mime.ts';
import type { ParsedPage, ParseInput } from './parsed-page.ts';
import { readPlainText } from './plain-text.ts';
import { readDirectives } from './robots-directives.ts';
import { applySelectors } from './selectors.ts';

/** Characters of a document that are read; what follows is left out. */
const MAX_TEXT_CHARS = 16 * 1024 * 1024;
const PRIMARY_LANGUAGE = /^\s*([a-z]{2,3})(?![a-z])/i;

const NO_CONTENT: HtmlContent = {
  title: '',
  headings: '',
  emphasis: '',
  body: '',
  links: [],
  base: undefined,
  canonical: undefined,
  robots: [],
  refresh: undefined,
  lang: '',
  charset: '',
};

const readContent = (wholeText: string, kind: PageKind, input: ParseInput): HtmlContent => {
  const text = wholeText.length > MAX_TEXT_CHARS ? wholeText.slice(0, MAX_TEXT_CHARS) : wholeText;
  if (kind === 'text' || kind === 'markdown')
    return { ...NO_CONTENT, ...readPlainText(text, kind === 'markdown') };
  const agent = productToken(input.agent);
  const page = new HtmlPage(agent);
  const isXml = kind === 'xhtml';
  readHtml(text, isXml, page);
  const whole = page.finish();
  const { selectors } = input;
  return selectors === undefined ? whole : applySelectors(text, isXml, { selectors, whole, agent });
};

const fieldsOf = (content: HtmlContent): readonly FieldText[] => {
  const texts: Partial<Record<FieldName, string>> = content;
  return FIELD_NAMES.flatMap((field) => {
    const text = texts[field] ?? '';
    return text === '' ? [] : [{ field, text }];
  });
};

/** Resolves each address of a page once: menus and footers repeat theirs. */
class LinkResolver {
  readonly #base: NormalUrl;
  readonly #known = new Map<string, NormalUrl | undefined>();

  constructor(base: NormalUrl) {
    this.#base = base;
  }

  resolve(href: string): NormalUrl | undefined {
    if (this.#known.has(href)) return this.#known.get(href);
    const url = normaliseUrl(href, this.#base);
    this.#known.set(href, url);
    return url;
  }

  resolveAll(links: readonly RawLink[]): PageLink[] {
    const resolved: PageLink[] = [];
    for (const { href, anchor, rel } of links) {
      const url = this.resolve(href);
      if (url !== undefined) resolved.push({ url, anchor, rel });
    }
    return resolved;
  }
}

/** WHATWG HTML 4.2.3: the first base counts, resolved against the document; one that is not http(s) is ignored. */
const baseOf = (content: HtmlContent, url: NormalUrl): NormalUrl =>
  (content.base === undefined ? undefined : normaliseUrl(content.base, url)) ?? url;

const refreshOf = (content: HtmlContent, resolver: LinkResolver, page: NormalUrl): ParsedPage['refresh'] => {
  const raw = content.refresh === undefined ? undefined : parseRefresh(content.refresh);
  if (raw === undefined || raw.href === '') return undefined;
  const url = resolver.resolve(raw.href);
  return url === undefined || url === page ? undefined : { delayS: raw.delayS, url };
};

const languageOf = (content: HtmlContent, headers: ParseInput['headers']): string => {
  const declared = content.lang.trim() === '' ? (headers['content-language'] ?? '') : content.lang;
  return PRIMARY_LANGUAGE.exec(declared)?.[1]?.toLowerCase() ?? '';
};

/** The body, decoded where its kind is one that is read. */
interface ReadBody {
  readonly charset: string;
  readonly content: HtmlContent;
}

const readBody = (body: Uint8Array, kind: PageKind | undefined, input: ParseInput): ReadBody => {
  if (kind === undefined) return { charset: '', content: NO_CONTENT };
  const { charset: label } = parseContentType(input.headers['content-type'] ?? '');
  const first = decodeBody(body, label, kind);
  const content = readContent(first.text, kind, input);
  const again = kind === 'html' ? decodeAgain(body, first, content.charset) : undefined;
  if (again === undefined) return { charset: first.charset, content };
  return { charset: again.charset, content: readContent(again.text, kind, input) };
};

/**
 * Everything that Quarry wants to know of a response: undoes its content-encoding, finds type and charset, reads fields,
 * links and directives. Pure, and it does not fail on any bytes; linear in their number.
 */
export const parsePage = (input: ParseInput): ParsedPage => {
  const { url, headers, agent, nowMs } = input;
  const { body, truncated } = inflate(input.body, input.contentEncoding ?? '');
  const type = sniffType(parseContentType(headers['content-type'] ?? '').type, body);
  const kind = kindOf(type, url);
  const { charset, content } = readBody(body, kind, input);
  const resolver = new LinkResolver(baseOf(content, url));
  const links = resolver.resolveAll(content.links);
  const refresh = refreshOf(content, resolver, url);
  if (refresh !== undefined) links.push({ url: refresh.url, anchor: '', rel: '' });
  const canonicalHref = content.canonical ?? canonicalOfHeader(headers['link'] ?? '');
  const canonical = canonicalHref === undefined ? undefined : resolver.resolve(canonicalHref);
  return {
    body,
    truncated,
    charset,
    type,
    indexable: kind !== undefined,
    title: content.title,
    fields: fieldsOf(content),
    links,
    lang: languageOf(content, headers),
    robots: readDirectives(content.robots, headers['x-robots-tag'] ?? '', {
      agent: agent.toLowerCase(),
      nowMs,
    }),
    ...(canonical === undefined ? {} : { canonical }),
    ...(refresh === undefined ? {} : { refresh }),
    textHash: textHashOf(content.title, content.body),
  };
};
