import { normalisePercent } from '../url/percent.ts';

/** RFC 9309, 2.5: at least 500 KiB must be read. */
export const MAX_ROBOTS_BYTES = 512 * 1024;
/** Bytes of a line that count; Google's limit, eight times the longest URL that browsers used to take. */
const MAX_LINE_BYTES = 8 * 2083;

/** One Allow or Disallow line. */
export interface RobotsRule {
  readonly allow: boolean;
  /** As written, without spaces at the ends; bytes as characters below U+0100. */
  readonly text: string;
  /** In the spelling of `normalisePercent`, `*` and a final `$` being operators. */
  readonly pattern: string;
  /** From 1. */
  readonly line: number;
}

/** The rules for some agents. */
export interface RobotsGroup {
  /** Product tokens in lower case, `*` for any. */
  readonly agents: readonly string[];
  readonly rules: readonly RobotsRule[];
  readonly crawlDelayS?: number;
}

/** A robots.txt as read. */
export interface RobotsFile {
  readonly groups: readonly RobotsGroup[];
  /** URLs of `Sitemap:` lines as written. */
  readonly sitemaps: readonly string[];
}

interface OpenGroup {
  readonly agents: string[];
  readonly rules: RobotsRule[];
  crawlDelayS?: number;
}

/** Spellings that webmasters use and Google's parser takes as well. */
const KEYS: Readonly<Record<string, 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap'>> = {
  'user-agent': 'agent',
  useragent: 'agent',
  'user agent': 'agent',
  'useg-agent': 'agent',
  allow: 'allow',
  disallow: 'disallow',
  desallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'crawl-delay': 'delay',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
};

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** UTF-16 with a byte-order mark becomes UTF-8; a whole or torn UTF-8 mark is dropped; else the bytes as they are. */
const readBytes = (body: Uint8Array): string => {
  if (body[0] === 0xff && body[1] === 0xfe)
    return latin1(Buffer.from(new TextDecoder('utf-16le').decode(body)));
  if (body[0] === 0xfe && body[1] === 0xff)
    return latin1(Buffer.from(new TextDecoder('utf-16be').decode(body)));
  return latin1(body).replace(/^\xef(?:\xbb(?:\xbf)?)?/, '');
};

/** The first 512 KiB; a line that the limit cuts in two does not count. */
const readLines = (body: Uint8Array): readonly string[] => {
  const lines = readBytes(body.subarray(0, MAX_ROBOTS_BYTES)).split(/\r\n|\r|\n/);
  return body.length > MAX_ROBOTS_BYTES ? lines.slice(0, -1) : lines;
};

/** Without spaces and control characters at the ends, NUL included; a loop, since a pattern would try every space in a run. */
const trim = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1;
  return text.slice(start, end);
};

/** Key and value of a line; a missing colon is forgiven where exactly two words stand (`Disallow /x`). */
const splitLine = (line: string): readonly [string, string] | undefined => {
  const hash = line.indexOf('#');
  const text = trim((hash < 0 ? line : line.slice(0, hash)).slice(0, MAX_LINE_BYTES));
  const colon = text.indexOf(':');
  if (colon > 0) return [trim(text.slice(0, colon)).toLowerCase(), trim(text.slice(colon + 1))];
  const words = text.split(/[ \t]+/);
  const [key, value] = words;
  return words.length === 2 && key !== undefined && value !== undefined
    ? [key.toLowerCase(), value]
    : undefined;
};

/**
 * RFC 9309, 2.2.1: letters, `_` and `-`; what follows (a version, say) does not count. Digits are taken as well, against the
 * letter of the RFC: who writes `User-agent: MJ12bot` means that robot, not one called `MJ`.
 */
export const productToken = (agent: string): string =>
  /^[A-Za-z0-9_-]*/.exec(agent.trim())?.[0].toLowerCase() ?? '';

const agentOf = (value: string): string => (/^\*(?:\s|$)/.test(value) ? '*' : productToken(value));

/** Seconds; undefined for what is not a number of zero or more. */
const delayOf = (value: string): number | undefined =>
  /^\d*\.?\d+$|^\d+\.$/.test(value) ? Number(value) : undefined;

const ruleOf = (allow: boolean, value: string, line: number): RobotsRule => ({
  allow,
  text: value,
  pattern: normalisePercent(value),
  line,
});

/** Reads the lines one by one; the open group takes agents until its first rule (RFC 9309, 2.2: `group`). */
class GroupReader {
  readonly groups: OpenGroup[] = [];
  readonly sitemaps: string[] = [];
  #open: OpenGroup | undefined;
  #hasRules = false;

  read(key: string, value: string, line: number): void {
    const kind = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (kind === 'agent') this.#agent(value);
    else if (kind === 'sitemap') this.sitemaps.push(value);
    else if (kind === 'delay') this.#delay(value);
    else if (kind !== undefined) this.#rule(kind === 'allow', value, line);
  }

  #agent(value: string): void {
    if (this.#open === undefined || this.#hasRules) {
      this.#open = { agents: [], rules: [] };
      this.#hasRules = false;
      this.groups.push(this.#open);
    }
    this.#open.agents.push(agentOf(value));
  }

  /** An empty value is a rule that matches nothing: it closes the list of agents and says no more. */
  #rule(allow: boolean, value: string, line: number): void {
    if (this.#open === undefined) return;
    this.#hasRules = true;
    if (value !== '') this.#open.rules.push(ruleOf(allow, value, line));
  }

  /** The first delay of a group holds. Not in RFC 9309, so it does not close the list of agents. */
  #delay(value: string): void {
    const delayS = delayOf(value);
    if (this.#open !== undefined && delayS !== undefined) this.#open.crawlDelayS ??= delayS;
  }
}

/**
 * Reads a robots.txt (RFC 9309) from its bytes. Nothing is an error: a line that is none of the known ones is skipped, so
 * that an HTML page in the place of the file holds no rule.
 */
export const parseRobots = (body: Uint8Array): RobotsFile => {
  const reader = new GroupReader();
  readLines(body).forEach((line, index) => {
    const pair = splitLine(line);
    if (pair !== undefined) reader.read(pair[0], pair[1], index + 1);
  });
  return { groups: reader.groups, sitemaps: reader.sitemaps };
};
