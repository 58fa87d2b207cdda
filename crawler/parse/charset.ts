import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import sniff from 'html-encoding-sniffer';
import type { PageKind } from './mime.ts';

const FALLBACK = 'windows-1252';
const XML_DECLARATION = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;
const XML_DECLARATION_BYTES = 256;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What the XML declaration says; '' when there is none or it names no encoding that exists. */
const xmlEncoding = (body: Uint8Array): string => {
  const start = asBuffer(body.subarray(0, XML_DECLARATION_BYTES)).toString('latin1');
  return XML_DECLARATION.exec(start)?.[1] ?? '';
};

/** UTF-8 that shows itself: valid, and not mere ASCII; the end may have cut a character in two. */
const looksLikeUtf8 = (body: Uint8Array): boolean => {
  if (isAscii(body)) return false;
  if (isUtf8(body)) return true;
  for (let cutBytes = 1; cutBytes <= 3 && cutBytes < body.length; cutBytes++) {
    // Only a lead byte can begin the torn character.
    if ((body[body.length - cutBytes] ?? 0) < 0xc0) continue;
    const rest = body.subarray(0, -cutBytes);
    return !isAscii(rest) && isUtf8(rest);
  }
  return false;
};

const declared = (body: Uint8Array, label: string, kind: PageKind): string => {
  const transport = label === '' ? {} : { transportLayerEncodingLabel: label };
  // With `xml` the library looks at the mark and the header alone, which is right for text too.
  const name = sniff(body, { ...transport, xml: kind !== 'html', defaultEncoding: '' });
  if (name !== '' || kind === 'text' || kind === 'markdown') return name;
  return xmlEncoding(body);
};

const decoders = new Map<string, TextDecoder>();

/** Undefined for a label that names no encoding, or one that this Node.js cannot decode (iso-8859-16, `replacement`). */
const decoderOf = (label: string): TextDecoder | undefined => {
  const known = decoders.get(label);
  if (known !== undefined) return known;
  try {
    const decoder = new TextDecoder(label);
    decoders.set(label, decoder);
    return decoder;
  } catch {
    return undefined;
  }
};

/** Where nothing is said: UTF-8 if the bytes are that (hardly any other text is, by chance), else windows-1252. */
const guess = (body: Uint8Array, kind: PageKind): string =>
  kind === 'xhtml' || looksLikeUtf8(body) ? 'utf-8' : FALLBACK;

export interface DecodedText {
  /** WHATWG name of the encoding that was used, in lower case. */
  readonly charset: string;
  /** Without a byte-order mark; bytes that mean nothing are U+FFFD. */
  readonly text: string;
  /** Whether the page (or its header) said so; else it was guessed. */
  readonly isDeclared: boolean;
}

/**
 * Decodes a page by the WHATWG "encoding sniffing algorithm": byte-order mark, charset of the header, then for HTML what a
 * meta element in the first 1,024 bytes says, for XML its declaration; else a guess from the bytes. Never fails.
 *
 * `label` is the charset parameter of Content-Type, '' for none.
 */
export const decodeBody = (body: Uint8Array, label: string, kind: PageKind): DecodedText => {
  const name = declared(body, label, kind);
  const declaredDecoder = name === '' ? undefined : decoderOf(name);
  const decoder = declaredDecoder ?? decoderOf(guess(body, kind)) ?? new TextDecoder();
  return { charset: decoder.encoding, text: decoder.decode(body), isDeclared: declaredDecoder !== undefined };
};

/**
 * Decodes once more by a meta element that stood too late for the prescan (WHATWG HTML 13.2.3.5, "changing the encoding
 * while parsing"); undefined when it names no other encoding. UTF-16 in a meta cannot be true and means UTF-8.
 */
export const decodeAgain = (
  body: Uint8Array,
  first: DecodedText,
  metaLabel: string,
): DecodedText | undefined => {
  if (first.isDeclared || metaLabel === '') return undefined;
  const named = decoderOf(metaLabel);
  const decoder = named?.encoding.startsWith('utf-16') ? decoderOf('utf-8') : named;
  if (decoder === undefined || decoder.encoding === first.charset) return undefined;
  return { charset: decoder.encoding, text: decoder.decode(body), isDeclared: true };
};
