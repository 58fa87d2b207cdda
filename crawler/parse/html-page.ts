import { BlockText } from './block-text.ts';
import type { Attributes, HtmlSink } from './html-events.ts';
import type { RawLink } from './html-links.ts';
import { LinkCollector } from './html-links.ts';

/** What a document says, nothing resolved or judged yet. Text: blocks separated by `\n`, white space folded. */
export interface HtmlContent {
  readonly title: string;
  readonly headings: string;
  readonly emphasis: string;
  readonly body: string;
  readonly links: readonly RawLink[];
  /** `href` of the first `base` that has one. */
  readonly base: string | undefined;
  /** `href` of the first `link rel=canonical` in the head. */
  readonly canonical: string | undefined;
  /** Contents of the robots meta elements that speak to us. */
  readonly robots: readonly string[];
  /** Content of the first meta refresh. */
  readonly refresh: string | undefined;
  /** `lang` of the html element, else what a meta content-language says; '' for none. */
  readonly lang: string;
  /** Label of the first meta that declares an encoding; '' for none. */
  readonly charset: string;
}

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements that begin on a line of their own, table cells included: words on both sides are not neighbours. */
const BLOCKS = set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p ' +
    'plaintext pre search section summary table tbody td tfoot th thead tr ul xmp',
);
/** Elements that stand in the line and divide words; those that a page defines itself (`my-card`) do so too. */
const SPACES = set(
  'br img input button select textarea video audio object embed canvas meter progress svg math text',
);
const dividesWords = (name: string): boolean => SPACES.has(name) || name.includes('-');
/** Elements whose content is not text of the page. */
const HIDDEN = set('script style noembed noframes iframe');
/** Elements that may stand before the body begins. */
const HEAD = set('html head title meta link base script style template noscript');
const PREFORMATTED = set('pre listing xmp plaintext');
const INLINE_EMPHASIS = set('b strong em');
const HEADINGS = set('h1 h2 h3 h4 h5 h6');
/** WHATWG HTML 2.5.4, "extracting a character encoding from a meta element"; a quote must be closed. */
const CHARSET = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i;
const BLANK_LINE = /\n[ \t\r\f]*\n\s*/;

const charsetOf = (content: string): string => {
  const [, double, single, bare] = CHARSET.exec(content) ?? [];
  return double ?? single ?? bare ?? '';
};

/** Longest title that is kept; an unclosed title element takes in the whole page. */
const MAX_TITLE_CHARS = 2000;

/**
 * Builds a page's fields and links from events, scripting disabled. It keeps counters instead of a stack of open
 * elements: tags that never close or close out of order cost nothing, and what is open ends with its next like.
 */
export class HtmlPage implements HtmlSink {
  readonly #agent: string;
  readonly #title = new BlockText();
  readonly #headings = new BlockText();
  readonly #emphasis = new BlockText();
  readonly #body = new BlockText();
  readonly #links = new LinkCollector();
  readonly #robots: string[] = [];
  #base: string | undefined;
  #canonical: string | undefined;
  #refresh: string | undefined;
  #htmlLang = '';
  #metaLang = '';
  #charset = '';

  /** Name of the hidden element that we are in, '' outside. */
  #hidden = '';
  #templateDepth = 0;
  #noscriptDepth = 0;
  /** 'page' while in the page's own title, 'other' in that of a drawing. */
  #titleState: 'none' | 'page' | 'other' = 'none';
  #hasTitle = false;
  #isInSvg = false;
  #isInBody = false;
  #isInHeading = false;
  #preDepth = 0;
  #emphasisDepth = 0;
  /** In a `dt` or `th`, which ends with the next cell, term or table. */
  #isInKey = false;

  /** `agent`: product token in lower case, for which robots metas are read besides `robots`. */
  constructor(agent: string) {
    this.#agent = agent;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'template') this.#templateDepth += 1;
    if (this.#templateDepth > 0) return;
    if (!this.#isInBody && this.#noscriptDepth === 0 && !HEAD.has(name)) this.#isInBody = true;
    if (BLOCKS.has(name)) this.#openBlock(name);
    else if (dividesWords(name)) this.text(' ');
    else if (INLINE_EMPHASIS.has(name)) this.#emphasisDepth += 1;
    if (HIDDEN.has(name)) this.#hidden = name;
    this.#openSpecial(name, attributes);
  }

  #openSpecial(name: string, attributes: Attributes): void {
    switch (name) {
      case 'a':
        return this.#links.openAnchor(attributes);
      case 'img':
        return this.#links.image(attributes);
      case 'area':
        return this.#links.area(attributes);
      case 'frame':
      case 'iframe':
        return this.#links.frame(attributes);
      case 'base':
        this.#base ??= attributes.get('href');
        return;
      case 'link':
        return this.#openLink(attributes);
      case 'meta':
        return this.#openMeta(attributes);
      case 'html':
        this.#htmlLang ||= attributes.get('lang') ?? attributes.get('xml:lang') ?? '';
        return;
      case 'title':
        this.#titleState = this.#hasTitle || this.#isInSvg ? 'other' : 'page';
        return;
      case 'svg':
        this.#isInSvg = true;
        return;
      case 'noscript':
        this.#noscriptDepth += 1;
        return;
      default:
    }
  }

  #openBlock(name: string): void {
    this.#endBlock();
    if (HEADINGS.has(name)) this.#isInHeading = true;
    else if (name === 'dt' || name === 'th') this.#isInKey = true;
    else if (name === 'dd' || name === 'td' || name === 'tr') this.#isInKey = false;
    else if (PREFORMATTED.has(name)) this.#preDepth += 1;
    // Bold type that was never switched off does not reach out of its cell.
    if (name === 'td' || name === 'th') this.#emphasisDepth = 0;
  }

  #openLink(attributes: Attributes): void {
    if (this.#isInBody || this.#canonical !== undefined) return;
    const rel = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    if (rel.includes('canonical')) this.#canonical = attributes.get('href');
  }

  #openMeta(attributes: Attributes): void {
    this.#charset ||= attributes.get('charset')?.trim() ?? '';
    const content = attributes.get('content');
    if (content === undefined) return;
    const name = attributes.get('name')?.trim().toLowerCase();
    if (name === 'robots' || name === this.#agent) this.#robots.push(content);
    const pragma = attributes.get('http-equiv')?.toLowerCase();
    if (pragma === 'refresh') this.#refresh ??= content;
    else if (pragma === 'content-language') this.#metaLang ||= content;
    else if (pragma === 'content-type') this.#charset ||= charsetOf(content);
  }

  close(name: string): void {
    if (name === 'template' && this.#templateDepth > 0) this.#templateDepth -= 1;
    if (this.#templateDepth > 0) return;
    if (name === this.#hidden) this.#hidden = '';
    else if (BLOCKS.has(name)) this.#closeBlock(name);
    else if (INLINE_EMPHASIS.has(name)) this.#closeEmphasis();
    else if (name === 'a') this.#links.closeAnchor();
    else if (name === 'title') this.#closeTitle();
    else if (name === 'noscript' && this.#noscriptDepth > 0) this.#noscriptDepth -= 1;
    else if (name === 'head') this.#isInBody = true;
    else if (dividesWords(name)) this.#closeSpace(name);
  }

  #closeSpace(name: string): void {
    if (name === 'svg') this.#isInSvg = false;
    this.text(' ');
  }

  #closeBlock(name: string): void {
    this.#endBlock();
    if (HEADINGS.has(name)) this.#isInHeading = false;
    else if (name === 'dt' || name === 'th' || name === 'dl' || name === 'table') this.#isInKey = false;
    else if (PREFORMATTED.has(name) && this.#preDepth > 0) this.#preDepth -= 1;
    if (name === 'td' || name === 'th' || name === 'table') this.#emphasisDepth = 0;
  }

  #closeEmphasis(): void {
    if (this.#emphasisDepth === 0) return;
    this.#emphasisDepth -= 1;
    if (this.#emphasisDepth === 0 && !this.#isInKey) this.#emphasis.endBlock();
  }

  #closeTitle(): void {
    if (this.#titleState === 'page') this.#hasTitle = true;
    this.#titleState = 'none';
  }

  #endBlock(): void {
    this.#body.endBlock();
    this.#headings.endBlock();
    this.#emphasis.endBlock();
    // The words of a link do not run together across a block either.
    this.#links.text(' ');
  }

  text(data: string): void {
    if (this.#hidden !== '' || this.#templateDepth > 0) return;
    if (this.#titleState !== 'none') {
      if (this.#titleState === 'page') this.#title.add(data);
      return;
    }
    if (this.#preDepth > 0 && BLANK_LINE.test(data)) this.#preformatted(data);
    else this.#visible(data);
  }

  /** A blank line divides preformatted text as a paragraph does; a single line feed is mere space. */
  #preformatted(data: string): void {
    data.split(BLANK_LINE).forEach((paragraph, index) => {
      if (index > 0) this.#endBlock();
      this.#visible(paragraph);
    });
  }

  #visible(data: string): void {
    this.#body.add(data);
    if (this.#isInHeading) this.#headings.add(data);
    if (this.#emphasisDepth > 0 || this.#isInKey) this.#emphasis.add(data);
    this.#links.text(data);
  }

  /** Ends what is still open and returns the whole. */
  finish(): HtmlContent {
    this.#links.closeAnchor();
    return {
      title: this.#title.finish().slice(0, MAX_TITLE_CHARS),
      headings: this.#headings.finish(),
      emphasis: this.#emphasis.finish(),
      body: this.#body.finish(),
      links: this.#links.links,
      base: this.#base,
      canonical: this.#canonical,
      robots: this.#robots,
      refresh: this.#refresh,
      lang: this.#htmlLang || this.#metaLang,
      charset: this.#charset,
    };
  }
}
