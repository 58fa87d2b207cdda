/**
 * From a query's text to its tree. No input is an error: what cannot be read as an operator is searched as words, and
 * a warning says so. Time is linear in the text, and there is no recursion, so depth cannot matter.
 *
 *   query    = { clause }                          clauses stand between white space, quotes and "("
 *   clause   = [ "-" ] ( phrase | site | prefix | word )  "-" counts only as the first character of a clause and before a
 *                                                  character that is neither "-" nor white space: `e-mail` and
 *                                                  `--help` are words, a lone `-` is nothing
 *   phrase   = '"' { any but '"' } ( '"' | end )   an unbalanced one reaches to the end
 *   site     = "site:" ( value | phrase )          see site.ts; several are alternatives
 *   prefix   = word "*"                            at least MIN_PREFIX_LENGTH characters, no other "*" in it, and
 *                                                  nothing behind it
 *   word     = { any but white space and '"' }     with a letter, a digit or a pictograph in it, else it is nothing
 *
 * Not in the language yet, and said so by a warning: OR (upper case, between two clauses), parentheses at the start of
 * a clause, and the prefixes in UNSUPPORTED_PREFIXES. Their words are searched as plain words; what they exclude
 * (`-lang:de`) is left out. Any other word with a colon (`12:30`, `std::vector`, `https://…`) is a plain word, and so
 * is a prefix with nothing right after it (`date: 2024`).
 */
import { cleanQuery, type Lexeme, lex, MAX_QUERY_LENGTH } from './lexer.ts';
import { parseSite } from './site.ts';
import type { QueryNode, QueryTree } from './tree.ts';
import { type QueryWarning, type WarningCode, warning } from './warnings.ts';

/** Prefixes of later versions: their words are searched, with a warning. */
export const UNSUPPORTED_PREFIXES = [
  'intitle',
  'inurl',
  'filetype',
  'lang',
  'link',
  'after',
  'before',
  'date',
] as const;

const UNSUPPORTED = new RegExp(`^(${UNSUPPORTED_PREFIXES.join('|')}):(?=.)`, 'i');
const BARE_PREFIX = new RegExp(`^(${UNSUPPORTED_PREFIXES.join('|')}|site):$`, 'i');
const SITE = /^site:/i;
/** Characters that the beginning of a word must have: a single one begins thousands. */
export const MIN_PREFIX_LENGTH = 2;
const PREFIX = /^([^*]+)\*$/;
const SEARCHABLE = /[\p{L}\p{N}\p{M}\p{So}]/u;

class Parser {
  readonly #lexemes: readonly Lexeme[];
  readonly #nodes: QueryNode[] = [];
  readonly #warnings = new Map<string, QueryWarning>();
  #at = 0;
  #openGroups = 0;
  #negated = false;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  parse(): QueryTree {
    for (; this.#at < this.#lexemes.length; this.#at += 1) {
      const lexeme = this.#lexemes[this.#at];
      if (lexeme !== undefined) this.#read(lexeme);
    }
    return { nodes: this.#nodes, warnings: [...this.#warnings.values()] };
  }

  #read(lexeme: Lexeme): void {
    const negated = this.#negated;
    this.#negated = lexeme.kind === 'minus';
    switch (lexeme.kind) {
      case 'minus':
        return;
      case 'open':
        this.#openGroups += 1;
        this.#warn('operator_unsupported', 'Grouping by parentheses');
        return;
      case 'phrase':
        this.#addPhrase(lexeme, negated);
        return;
      case 'word':
        this.#readWord(lexeme.text, negated);
    }
  }

  #readWord(text: string, negated: boolean): void {
    let rest = this.#withoutClosing(text);
    if (rest === 'OR' && !negated && this.#nodes.length > 0 && this.#at + 1 < this.#lexemes.length) {
      this.#warn('operator_unsupported', 'OR');
      return;
    }
    for (let match = UNSUPPORTED.exec(rest); match !== null; match = UNSUPPORTED.exec(rest)) {
      this.#warn(negated ? 'exclusion_unsupported' : 'operator_unsupported', match[0].toLowerCase());
      if (negated) return;
      rest = plain(rest.slice(match[0].length));
    }
    if (BARE_PREFIX.test(rest) && this.#nextIsGluedPhrase()) this.#readPrefixedPhrase(rest, negated);
    else if (SITE.test(rest)) this.#addSite(rest.slice('site:'.length), negated);
    else this.#addWord(rest, negated);
  }

  /** `)` closes only what `(` opened: `f(x)` keeps its own. */
  #withoutClosing(text: string): string {
    let end = text.length;
    while (end > 0 && this.#openGroups > 0 && text.charAt(end - 1) === ')') {
      this.#openGroups -= 1;
      end -= 1;
    }
    return text.slice(0, end);
  }

  #nextIsGluedPhrase(): boolean {
    const next = this.#lexemes[this.#at + 1];
    return next?.kind === 'phrase' && next.glued;
  }

  /** `site:"example.org"` is a site; `intitle:"two words"` is an unsupported prefix before a phrase. */
  #readPrefixedPhrase(prefix: string, negated: boolean): void {
    this.#at += 1;
    const phrase = this.#lexemes[this.#at];
    if (phrase?.kind !== 'phrase') return;
    if (SITE.test(prefix)) {
      this.#addSite(phrase.text.trim(), negated);
      return;
    }
    this.#warn(negated ? 'exclusion_unsupported' : 'operator_unsupported', prefix.toLowerCase());
    if (!negated) this.#addPhrase(phrase, false);
  }

  #addWord(text: string, negated: boolean): void {
    if (!SEARCHABLE.test(text)) return;
    const [, start] = PREFIX.exec(text) ?? [];
    if (start !== undefined && Array.from(start).length >= MIN_PREFIX_LENGTH) {
      this.#nodes.push({ kind: 'prefix', text: start, negated });
      return;
    }
    if (start !== undefined) this.#warn('prefix_too_short');
    this.#nodes.push({ kind: 'word', text: start ?? text, negated });
  }

  #addPhrase(lexeme: Lexeme & { kind: 'phrase' }, negated: boolean): void {
    const text = lexeme.text.trim().replace(/\s+/g, ' ');
    if (!lexeme.closed) this.#warn('unbalanced_quote');
    if (SEARCHABLE.test(text)) this.#nodes.push({ kind: 'phrase', text, negated });
  }

  #addSite(value: string, negated: boolean): void {
    const filter = parseSite(value);
    if (filter !== undefined) {
      this.#nodes.push({ kind: 'site', filter, negated });
      return;
    }
    this.#warn(negated ? 'exclusion_invalid' : 'site_invalid');
    if (!negated) this.#addWord(plain(value), false);
  }

  #warn(code: WarningCode, operator = ''): void {
    this.#warnings.set(code + operator, warning(code, { operator, limit: MIN_PREFIX_LENGTH }));
  }
}

/** The text of a word without what would make it an operator when it is read again. */
const plain = (text: string): string => text.replace(/^[-(]+/, '');

/** Reads a query; any text has a tree. What could not be read as meant stands in its warnings. */
export const parseQuery = (text: string): QueryTree => {
  const { text: cleaned, truncated } = cleanQuery(text);
  const tree = new Parser(lex(cleaned)).parse();
  if (!truncated) return tree;
  return { ...tree, warnings: [warning('query_truncated', { limit: MAX_QUERY_LENGTH }), ...tree.warnings] };
};
