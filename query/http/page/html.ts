/** Markup that is safe to send: made by `html` only, so that no text becomes markup unescaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for element content and quoted attributes. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const markupOf = (value: HtmlValue): string => {
  if (value instanceof Html) return value.markup;
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  return value.map(markupOf).join('');
};

/**
 * Template tag: literal parts are markup, values are text (escaped for element content and quoted attributes alike)
 * unless they are Html themselves; lists are joined, undefined is nothing.
 */
export const html = (literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(
    literals.reduce(
      (markup, literal, index) => markup + literal + (index < values.length ? markupOf(values[index]) : ''),
      '',
    ),
  );

/** A URL that may stand in an href: http and https only, so that no `javascript:` or `data:` can be followed. */
export const safeHref = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
};
