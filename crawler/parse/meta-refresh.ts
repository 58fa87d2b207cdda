export interface RawRefresh {
  readonly delayS: number;
  /** Not yet resolved; '' means the page itself. */
  readonly href: string;
}

const TIME = /^[\t\n\f\r ]*(?:(\d+)[\d.]*|\.[\d.]*)/;
const SEPARATOR = /^[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/;
const URL_PREFIX = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/** After the separator: an optional `url=`, then the address, in quotes or not. */
const hrefOf = (rest: string): string => {
  const prefix = URL_PREFIX.exec(rest)?.[0];
  // `url` without its equals sign, and `ur...`, begin an address; quotes are looked for only after `url=` or at once.
  if (prefix === undefined && /^u/i.test(rest)) return rest;
  const address = prefix === undefined ? rest : rest.slice(prefix.length);
  const [quote] = address;
  if (quote !== '"' && quote !== "'") return address;
  const end = address.indexOf(quote, 1);
  return end < 0 ? address.slice(1) : address.slice(1, end);
};

/**
 * The content of `<meta http-equiv=refresh>` by the "shared declarative refresh steps" of WHATWG HTML (4.2.5.3);
 * undefined when it is none.
 */
export const parseRefresh = (content: string): RawRefresh | undefined => {
  const time = TIME.exec(content);
  if (time === null) return undefined;
  const delayS = Number(time[1] ?? 0);
  const rest = content.slice(time[0].length);
  if (rest === '') return { delayS, href: '' };
  if (!/^[;,\t\n\f\r ]/.test(rest)) return undefined;
  return { delayS, href: hrefOf(rest.replace(SEPARATOR, '')).trim() };
};
