import { mostFrequent } from '../../shards/index.ts';
import type { Expansion, Expansions } from '../language/prefixes.ts';
import { LATE, withDeadline } from './deadline.ts';
import { type NodeView, worthAsking } from './node-watch.ts';
import type { RoundContext } from './round.ts';

/** What nodes said of the prefixes of a query. */
export interface Expanded {
  readonly expansions: Expansions;
  /** Whether all nodes have said which of their words begin so. */
  readonly isWhole: boolean;
  /** What the search may take: half of the query's time at least. */
  readonly leftMs: number;
}

/** The part of a query's time that nodes have to name terms. */
const EXPANSION_SHARE = 1 / 2;

/** Where prefixes are looked up. */
export type ExpansionContext = Pick<RoundContext, 'view' | 'statistics' | 'clock' | 'config'> & {
  readonly signal: AbortSignal;
};

const expand = (
  lists: readonly (readonly string[])[],
  { statistics, config }: ExpansionContext,
): Expansion => {
  const limit = config.maxPrefixTerms;
  const terms = mostFrequent(new Set(lists.flat()), statistics, limit + 1);
  return { terms: terms.slice(0, limit), isCut: terms.length > limit };
};

/**
 * Asks all nodes which terms begin so and keeps those of most documents in the epoch. Each node names its best by that order, one
 * more than may be kept: the best of all are among them, so that shards search for the same terms however many they are.
 * A node that fails or is late has none.
 */
export const expandPrefixes = async (
  prefixes: readonly string[],
  context: ExpansionContext,
): Promise<Expanded> => {
  const { view, statistics, clock, config, signal } = context;
  const { timeoutMs } = config;
  if (prefixes.length === 0) return { expansions: new Map(), isWhole: true, leftMs: timeoutMs };
  const startMs = clock.monotonicMs();
  const request = { epoch: statistics.epoch, prefixes, limit: config.maxPrefixTerms + 1 };
  const ask = async ({ client }: NodeView): Promise<readonly (readonly string[])[] | undefined> => {
    try {
      const deadline = { timeoutMs: Math.ceil(timeoutMs * EXPANSION_SHARE), clock, signal };
      const answer = await withDeadline(deadline, (inTime) => client.expand(request, inTime));
      return answer === LATE ? undefined : answer;
    } catch {
      signal.throwIfAborted();
      // The search that follows says what is wrong with the node.
      return undefined;
    }
  };
  const isAsked = worthAsking(view.nodes);
  const answers = await Promise.all(
    view.nodes.map((node, index) => (isAsked[index] ? ask(node) : Promise.resolve(undefined))),
  );
  const known = answers.filter((answer) => answer !== undefined);
  const expansions = prefixes.map((prefix, index): [string, Expansion] => [
    prefix,
    expand(
      known.map((lists) => lists[index] ?? []),
      context,
    ),
  ]);
  const leftMs = timeoutMs - Math.floor(clock.monotonicMs() - startMs);
  return {
    expansions: new Map(expansions),
    isWhole: known.length === answers.length,
    leftMs: Math.max(leftMs, Math.ceil(timeoutMs * (1 - EXPANSION_SHARE))),
  };
};
