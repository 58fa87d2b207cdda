import type { NormalUrl } from '../../shards/index.ts';
import { pathOf } from '../url/hosts.ts';
import { normalisePercent } from '../url/percent.ts';
import type { RobotsFile, RobotsRule } from './parse.ts';
import { productToken } from './parse.ts';

/** A rule made ready: the pieces between the stars of its pattern. */
interface CompiledRule {
  readonly rule: RobotsRule;
  /** Length of the pattern: the longest match counts (RFC 9309, 2.2.2: "the most octets"). */
  readonly lengthBytes: number;
  /** At least one; literal text in the alphabet of `literal`. */
  readonly pieces: readonly string[];
  /** Whether the last piece must end the path. */
  readonly isAnchored: boolean;
}

/** What a robots.txt says to one agent. */
export interface AgentRules {
  readonly rules: readonly CompiledRule[];
  readonly crawlDelayS?: number;
}

/** The verdict of rules on one path. */
export interface RobotsAnswer {
  readonly allowed: boolean;
  /** The rule that decided as it would be written, such as `Disallow: /x`; undefined when none matched. */
  readonly rule?: string;
  /** Line of that rule, from 1. */
  readonly line?: number;
}

/** Both sides of a comparison: a literal star or dollar is written as its escape (RFC 9309, 2.2.3). */
const literal = (text: string): string => text.replaceAll('*', '%2A').replaceAll('$', '%24');

const compile = (rule: RobotsRule): CompiledRule => {
  const isAnchored = rule.pattern.endsWith('$');
  const body = isAnchored ? rule.pattern.slice(0, -1) : rule.pattern;
  // A run of stars is one star.
  const pieces = body.split(/\*+/).map(literal);
  return { rule, lengthBytes: rule.pattern.length, pieces, isAnchored };
};

/**
 * The rules for an agent: of all groups that name its product token, merged; else of all groups for `*`; else none
 * (RFC 9309, 2.2.1). A group that names the agent counts also when it holds no rule.
 */
export const rulesFor = (file: RobotsFile, agent: string): AgentRules => {
  const token = productToken(agent);
  const named = token === '' ? [] : file.groups.filter(({ agents }) => agents.includes(token));
  const groups = named.length > 0 ? named : file.groups.filter(({ agents }) => agents.includes('*'));
  const rules = groups.flatMap((group) => group.rules).map(compile);
  // Longest first, Allow before Disallow among equals: then the first match decides.
  rules.sort((a, b) => b.lengthBytes - a.lengthBytes || Number(b.rule.allow) - Number(a.rule.allow));
  const crawlDelayS = groups.find((group) => group.crawlDelayS !== undefined)?.crawlDelayS;
  return crawlDelayS === undefined ? { rules } : { rules, crawlDelayS };
};

/**
 * Whether a rule matches a path from its beginning. Each piece is sought leftmost after the one before, which is right
 * since a star takes any text; so each piece scans the path once, and nothing is tried twice.
 */
const matches = ({ pieces, isAnchored }: CompiledRule, path: string): boolean => {
  const [first = '', ...others] = pieces;
  if (!path.startsWith(first)) return false;
  const last = isAnchored ? others.pop() : undefined;
  if (isAnchored && last === undefined) return path.length === first.length;
  let from = first.length;
  for (const piece of others) {
    const found = path.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return last === undefined || (path.length - last.length >= from && path.endsWith(last));
};

/** The verdict on a path with its query, percent-encoded. */
export const judgePath = (agentRules: AgentRules, pathAndQuery: string): RobotsAnswer => {
  const path = literal(normalisePercent(pathAndQuery));
  // RFC 9309, 2.2.2: the file itself is always allowed.
  if (path === '/robots.txt') return { allowed: true };
  const hit = agentRules.rules.find((rule) => matches(rule, path))?.rule;
  if (hit === undefined) return { allowed: true };
  return { allowed: hit.allow, rule: `${hit.allow ? 'Allow' : 'Disallow'}: ${hit.text}`, line: hit.line };
};

/** The verdict on a URL of the rules' own origin. */
export const judgeUrl = (agentRules: AgentRules, url: NormalUrl): RobotsAnswer =>
  judgePath(agentRules, pathOf(url));
