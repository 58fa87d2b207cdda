import type { QuoteType, TokenizerCallbacks } from 'htmlparser2';
import { Tokenizer } from 'htmlparser2';

/** Values by lower-case name; of several with one name the first. */
export type Attributes = ReadonlyMap<string, string>;

/** What a document is read as: no tree, only tags and text in their order. Names are in lower case. */
export interface HtmlSink {
  /** `attributes` is empty for elements that `ATTRIBUTE_ELEMENTS` does not name. */
  open(name: string, attributes: Attributes): void;
  /** As written: may close what is not open. */
  close(name: string): void;
  /** Entities are decoded; a word may come in pieces. */
  text(data: string): void;
}

/** Elements whose attributes matter; those of others are not even cut out. */
export const ATTRIBUTE_ELEMENTS: ReadonlySet<string> = new Set([
  'a',
  'area',
  'base',
  'frame',
  'html',
  'iframe',
  'img',
  'link',
  'meta',
]);

/** Characters of one attribute that are kept; a `data:` address may be megabytes. */
const MAX_ATTRIBUTE_CHARS = 64 * 1024;

/** Elements that end `svg` or `math` when they begin inside (WHATWG HTML 13.2.6.5), those in common use. */
const BREAKS_FOREIGN: ReadonlySet<string> = new Set(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li menu meta ol p pre s small span strong sub sup table tt u ul var'.split(
    ' ',
  ),
);

const NO_ATTRIBUTES: Attributes = new Map();

/**
 * Turns the tokens of htmlparser2 into events. The tokenizer alone is used, without the parser's stack of open
 * elements, whose search would make deep nesting cost quadratic time; a sink counts what it needs.
 */
class EventSource implements TokenizerCallbacks {
  readonly #html: string;
  readonly #sink: HtmlSink;
  readonly #isXml: boolean;
  #name = '';
  #wantsAttributes = false;
  #attributes: Map<string, string> | undefined;
  #attributeName = '';
  #attributeValue = '';
  /** Open `svg` and `math` elements. */
  #foreignDepth = 0;

  constructor(html: string, isXml: boolean, sink: HtmlSink) {
    this.#html = html;
    this.#isXml = isXml;
    this.#sink = sink;
  }

  isInForeignContext(): boolean {
    return this.#foreignDepth > 0;
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#wantsAttributes = ATTRIBUTE_ELEMENTS.has(this.#name);
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    if (!this.#wantsAttributes) return;
    this.#attributeName = this.#html.slice(start, end).toLowerCase();
    this.#attributeValue = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#wantsAttributes && this.#attributeValue.length < MAX_ATTRIBUTE_CHARS) {
      this.#attributeValue += this.#html.slice(start, Math.min(end, start + MAX_ATTRIBUTE_CHARS));
    }
  }

  onattribentity(codePoint: number): void {
    if (this.#wantsAttributes && this.#attributeValue.length < MAX_ATTRIBUTE_CHARS) {
      this.#attributeValue += String.fromCodePoint(codePoint);
    }
  }

  onattribend(_quote: QuoteType, _end: number): void {
    if (!this.#wantsAttributes) return;
    this.#attributes ??= new Map();
    if (!this.#attributes.has(this.#attributeName))
      this.#attributes.set(this.#attributeName, this.#attributeValue);
  }

  onopentagend(_end: number): void {
    const name = this.#name;
    if (name === 'svg' || name === 'math') this.#foreignDepth += 1;
    else if (this.#foreignDepth > 0 && BREAKS_FOREIGN.has(name)) this.#foreignDepth = 0;
    this.#sink.open(name, this.#attributes ?? NO_ATTRIBUTES);
  }

  /** `<br/>` and the like; the slash means something in XML and foreign elements only. */
  onselfclosingtag(end: number): void {
    const isClosed = this.#isXml || this.#foreignDepth > 0 || this.#name === 'svg' || this.#name === 'math';
    this.onopentagend(end);
    if (isClosed) this.#closed(this.#name);
  }

  onclosetag(start: number, end: number): void {
    this.#closed(this.#html.slice(start, end).toLowerCase());
  }

  #closed(name: string): void {
    if (this.#foreignDepth > 0 && (name === 'svg' || name === 'math')) this.#foreignDepth -= 1;
    this.#sink.close(name);
  }

  ontext(start: number, end: number): void {
    this.#sink.text(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#sink.text(String.fromCodePoint(codePoint));
  }

  /** Text in XML and in foreign elements, a comment in HTML. */
  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#isXml || this.#foreignDepth > 0) this.#sink.text(this.#html.slice(start, end - endOffset));
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

/** Sends a document's tags and text to the sink, in one pass and linear time whatever the nesting. */
export const readHtml = (html: string, isXml: boolean, sink: HtmlSink): void => {
  const tokenizer = new Tokenizer(
    { xmlMode: isXml, decodeEntities: true },
    new EventSource(html, isXml, sink),
  );
  tokenizer.write(html);
  tokenizer.end();
};
