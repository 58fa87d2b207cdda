/** White space of every script, and the soft hyphen, which is no part of a word. */
const SPACE = /\s+/g;
const SOFT_HYPHEN = /\u00ad/g;

/** One line: white space runs become a space, none at the ends, no soft hyphens. */
export const foldSpace = (text: string): string => text.replace(SOFT_HYPHEN, '').replace(SPACE, ' ').trim();

/**
 * Gathers text piece by piece into blocks. A phrase does not cross a block; inside one, white space is folded. Pieces
 * of a word that tags divide are one word again.
 */
export class BlockText {
  readonly #blocks: string[] = [];
  #open = '';

  add(text: string): void {
    this.#open += text;
  }

  endBlock(): void {
    if (this.#open === '') return;
    const block = foldSpace(this.#open);
    if (block !== '') this.#blocks.push(block);
    this.#open = '';
  }

  /** Blocks so far, separated by `\n`; ends the open one. */
  finish(): string {
    this.endBlock();
    return this.#blocks.join('\n');
  }
}
