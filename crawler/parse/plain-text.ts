import { foldSpace } from './block-text.ts';

/** Fields of a document that is text and nothing else. */
export interface PlainContent {
  readonly title: string;
  readonly headings: string;
  readonly body: string;
}

const MAX_TITLE_CHARS = 200;
const BLANK_LINES = /\n[^\S\n]*\n\s*/;
const FENCE = /^ {0,3}(?:```|~~~)/;
const ATX_HEADING = /^ {0,3}#{1,6}\s+(.*)$/;
const SETEXT_UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;

const blocksOf = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split(BLANK_LINES)
    .map(foldSpace)
    .filter((block) => block !== '')
    .join('\n');

/** An ATX heading may close with a run of `#` after a space; a loop, since a pattern would try each of its ends. */
const withoutClosing = (heading: string): string => {
  const trimmed = heading.trimEnd();
  let end = trimmed.length;
  while (end > 0 && trimmed[end - 1] === '#') end -= 1;
  return end === 0 || trimmed[end - 1] === ' ' ? trimmed.slice(0, end) : trimmed;
};

const atxHeading = (line: string): string | undefined => {
  const heading = ATX_HEADING.exec(line)?.[1];
  return heading === undefined ? undefined : withoutClosing(heading);
};

/** Headings of a Markdown text in their order, outside fenced code (CommonMark 4.2 and 4.3). */
const headingsOf = (text: string): readonly string[] => {
  const headings: string[] = [];
  let isFenced = false;
  let before = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (FENCE.test(line)) isFenced = !isFenced;
    const heading = isFenced ? undefined : (atxHeading(line) ?? setextHeading(line, before));
    if (heading !== undefined && heading !== '') headings.push(foldSpace(heading));
    before = isFenced ? '' : line;
  }
  return headings;
};

const setextHeading = (line: string, before: string): string | undefined =>
  before.trim() !== '' && SETEXT_UNDERLINE.test(line) ? before : undefined;

const firstLine = (text: string): string => {
  const line = /\S[^\r\n]*/.exec(text)?.[0] ?? '';
  return foldSpace(line).slice(0, MAX_TITLE_CHARS);
};

/**
 * Reads plain text or Markdown: all of it is body, blank lines divide blocks. The title is the first heading of
 * Markdown, else the first line that is not empty. Markdown is not rendered, and its links are not followed.
 */
export const readPlainText = (text: string, isMarkdown: boolean): PlainContent => {
  const headings = isMarkdown ? headingsOf(text) : [];
  return {
    title: headings[0]?.slice(0, MAX_TITLE_CHARS) ?? firstLine(text),
    headings: headings.join('\n'),
    body: blocksOf(text),
  };
};
