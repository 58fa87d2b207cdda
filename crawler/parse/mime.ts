/** What is in the header, by "extract a MIME type" of the Fetch standard. */
export interface ContentType {
  /** Type and subtype in lower case; '' when there is no valid one. */
  readonly type: string;
  /** Label as written, '' when there is none. */
  readonly charset: string;
}

const ESSENCE = /^[\t\n\r ]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+)[\t\n\r ]*(?:;|$)/;
const CHARSET = /;[\t\n\r ]*charset=(?:"([^"]*)"|([^;\t\n\r ]*))/i;

/** Several values of the header, joined by commas: the last valid one holds and inherits the charset of its like. */
export const parseContentType = (header: string): ContentType => {
  let found: ContentType = { type: '', charset: '' };
  for (const value of header.split(/[,\n]/)) {
    const type = ESSENCE.exec(value)?.[1]?.toLowerCase();
    if (type === undefined || type === '*/*') continue;
    const [, quoted, bare] = CHARSET.exec(value) ?? [];
    const charset = quoted ?? bare ?? (type === found.type ? found.charset : '');
    found = { type, charset };
  }
  return found;
};

/** MIME Sniffing, 7.1: what HTML begins with after white space, the next byte being a space or `>`. */
const HTML_START =
  /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\t\n\f\r >]|^[\t\n\f\r ]*<!--/i;
const XML_START = /^[\t\n\f\r ]*<\?xml/;
const XHTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
/** MIME Sniffing, 3: bytes that no text holds. */
const isBinary = (byte: number): boolean =>
  byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
const UTF_BOM = /^(?:\xfe\xff|\xff\xfe|\xef\xbb\xbf)/;
const SNIFFED_BYTES = 1445;

const MAGIC: readonly (readonly [string, string])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x1f\x8b', 'application/gzip'],
  ['PK\x03\x04', 'application/zip'],
  ['\x89PNG\r\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
];

const isXml = (type: string): boolean => type === 'text/xml' || type === 'application/xml';

/** `start`: a character for each byte. */
const isText = (start: string): boolean =>
  UTF_BOM.test(start) || !Buffer.from(start, 'latin1').some(isBinary);

const sniffUnknown = (start: string): string => {
  const bare = start.replace(/^\xef\xbb\xbf/, '');
  if (HTML_START.test(bare)) return 'text/html';
  if (XML_START.test(bare)) return bare.includes(XHTML_NAMESPACE) ? 'application/xhtml+xml' : 'text/xml';
  const magic = MAGIC.find(([signature]) => start.startsWith(signature));
  if (magic !== undefined) return magic[1];
  return isText(start) ? 'text/plain' : 'application/octet-stream';
};

/**
 * The media type of a body. The declared one is believed, but: none or an unknown one is sniffed (MIME Sniffing, 7.1);
 * octet-stream may be HTML or another type that is known by its first bytes, not mere text; text/plain with binary bytes
 * is not text (7.2); XML in the XHTML namespace is XHTML.
 */
export const sniffType = (declared: string, body: Uint8Array): string => {
  const head = body.subarray(0, SNIFFED_BYTES);
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  if (declared === '' || declared === 'unknown/unknown' || declared === 'application/unknown') {
    return sniffUnknown(start);
  }
  if (declared === 'application/octet-stream') {
    const sniffed = sniffUnknown(start);
    return sniffed === 'text/plain' ? declared : sniffed;
  }
  if (declared === 'text/plain') {
    return isText(start) ? declared : 'application/octet-stream';
  }
  return isXml(declared) && start.includes(XHTML_NAMESPACE) ? 'application/xhtml+xml' : declared;
};

/** How a type is read; undefined for what is recorded and not indexed. */
export type PageKind = 'html' | 'xhtml' | 'text' | 'markdown';

const KINDS: Readonly<Record<string, PageKind>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'xhtml',
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

const MARKDOWN_PATH = /\.(?:md|markdown)(?:\?|$)/i;

/** Servers seldom know Markdown: plain text whose path ends in `.md` is Markdown too. */
export const kindOf = (type: string, url: string): PageKind | undefined => {
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  return kind === 'text' && MARKDOWN_PATH.test(url) ? 'markdown' : kind;
};
