/**
 * From a query's text to lexemes, in one pass and without recursion.
 *
 * Before that each character that a keyboard or a word processor puts in place of an operator becomes that operator,
 * one UTF-16 unit for one: curly, low and full-width quotation marks, guillemets, full-width parentheses, colon and
 * hyphen. Dashes (U+2013, U+2014) and the minus sign U+2212 are not operators. Words are not normalised here (no
 * NFKC): the analyser folds them exactly as it folds documents.
 */
export type Lexeme =
  | { readonly kind: 'word'; readonly text: string; readonly glued: boolean }
  | { readonly kind: 'phrase'; readonly text: string; readonly glued: boolean; readonly closed: boolean }
  | { readonly kind: 'minus' }
  | { readonly kind: 'open' };

/** Longest query that is read, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 2048;

const LOOKALIKES: Readonly<Record<string, string>> = {
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u301d': '"',
  '\u301e': '"',
  '\u301f': '"',
  '\uff02': '"',
  '\uff08': '(',
  '\uff09': ')',
  '\uff1a': ':',
  '\uff0d': '-',
};
const LOOKALIKE = new RegExp(`[${Object.keys(LOOKALIKES).join('')}]`, 'g');
/** Control characters, the byte order mark and halves of surrogate pairs part words like a space. */
const UNPRINTABLE = /[\p{Cc}\p{Surrogate}\ufeff]/gu;

const cutAtCharacter = (text: string, length: number): string => {
  const unit = text.charCodeAt(length - 1);
  const splitsPair = unit >= 0xd800 && unit <= 0xdbff;
  return text.slice(0, splitsPair ? length - 1 : length);
};

/** The text with operators in ASCII and at most MAX_QUERY_LENGTH long; `truncated` tells whether some was lost. */
export const cleanQuery = (text: string): { readonly text: string; readonly truncated: boolean } => {
  const truncated = text.length > MAX_QUERY_LENGTH;
  const kept = truncated ? cutAtCharacter(text, MAX_QUERY_LENGTH) : text;
  const cleaned = kept
    .replace(LOOKALIKE, (mark) => LOOKALIKES[mark] ?? mark)
    .replace(UNPRINTABLE, (unit) => ' '.repeat(unit.length));
  return { text: cleaned, truncated };
};

const SPACE = /\s/;
const WORD_END = /[\s"]/g;

const endOfWord = (text: string, from: number): number => {
  WORD_END.lastIndex = from;
  return WORD_END.exec(text)?.index ?? text.length;
};

/** A single hyphen before a character: `--help` is a word, `- x` holds a lone hyphen. */
const isMinus = (text: string, at: number): boolean => {
  const next = text[at + 1];
  return text[at] === '-' && next !== undefined && next !== '-' && !SPACE.test(next);
};

/** Lexemes of a cleaned query. `glued` lexemes follow the one before without white space. */
export const lex = (text: string): Lexeme[] => {
  const lexemes: Lexeme[] = [];
  let at = 0;
  let glued = false;
  while (at < text.length) {
    const unit = text.charAt(at);
    if (SPACE.test(unit)) {
      glued = false;
      at += 1;
      continue;
    }
    if (unit === '(') {
      lexemes.push({ kind: 'open' });
      at += 1;
    } else if (isMinus(text, at)) {
      lexemes.push({ kind: 'minus' });
      at += 1;
    } else if (unit === '"') {
      const close = text.indexOf('"', at + 1);
      const end = close < 0 ? text.length : close;
      lexemes.push({ kind: 'phrase', text: text.slice(at + 1, end), glued, closed: close >= 0 });
      at = end + 1;
    } else {
      const end = endOfWord(text, at);
      lexemes.push({ kind: 'word', text: text.slice(at, end), glued });
      at = end;
    }
    glued = true;
  }
  return lexemes;
};
