import { foldSpace } from './block-text.ts';
import type { Attributes } from './html-events.ts';

/** A link as the page has it: not resolved. */
export interface RawLink {
  readonly href: string;
  readonly anchor: string;
  readonly rel: string;
}

/** Links of one page beyond this number are not read: no reader's page has so many. */
export const MAX_LINKS = 20_000;
/** Text of one link; an `a` that is never closed would take in the rest of the page. */
const MAX_ANCHOR_CHARS = 1024;

const relOf = (attributes: Attributes): string => foldSpace(attributes.get('rel') ?? '').toLowerCase();

/** Gathers links with their text: `a`, `area`, `frame`, `iframe`. */
export class LinkCollector {
  readonly links: RawLink[] = [];
  #open: { readonly href: string; readonly rel: string } | undefined;
  #anchor = '';

  /** An `a` ends the one before it, since links do not nest. */
  openAnchor(attributes: Attributes): void {
    this.closeAnchor();
    const href = attributes.get('href');
    if (href !== undefined) this.#open = { href, rel: relOf(attributes) };
  }

  closeAnchor(): void {
    if (this.#open !== undefined) this.#add({ ...this.#open, anchor: foldSpace(this.#anchor) });
    this.#open = undefined;
    this.#anchor = '';
  }

  text(data: string): void {
    if (this.#open !== undefined && this.#anchor.length < MAX_ANCHOR_CHARS) {
      this.#anchor += data.slice(0, MAX_ANCHOR_CHARS);
    }
  }

  /** The words of a picture stand for it inside a link. */
  image(attributes: Attributes): void {
    const alt = attributes.get('alt');
    if (alt !== undefined) this.text(` ${alt} `);
  }

  area(attributes: Attributes): void {
    const href = attributes.get('href');
    if (href !== undefined)
      this.#add({ href, anchor: foldSpace(attributes.get('alt') ?? ''), rel: relOf(attributes) });
  }

  frame(attributes: Attributes): void {
    const href = attributes.get('src');
    if (href !== undefined) this.#add({ href, anchor: '', rel: '' });
  }

  #add(link: RawLink): void {
    if (this.links.length < MAX_LINKS) this.links.push(link);
  }
}
