import type { NormalUrl } from '../../shards/index.ts';
import { FAILURES, type FailureKind, type FailurePolicy, HOST_DEATH_FAILURES } from '../fetch/failures.ts';
import type { BackQueue } from '../frontier/back-queue.ts';
import type { Turn } from '../frontier/frontier.ts';
import { backOffMs } from '../frontier/politeness.ts';
import type { UrlStatus } from '../frontier/url-record.ts';
import { revisitIntervalS } from '../recrawl/schedule.ts';
import { hostOf } from '../url/hosts.ts';
import type { CrawlContext } from './crawl-context.ts';
import { countUp } from './statistics.ts';

/** A host that wants a longer pause is left for another run: its URLs are settled as failed, due when the pause is over. */
export const LONGEST_WAIT_MS = 3_600_000;

/** How a visit ended. */
export interface Outcome {
  readonly status: UrlStatus;
  readonly reason?: string;
  readonly httpStatus?: number;
  /** Wait that the server asked for, beyond the usual interval. */
  readonly waitMs?: number;
  /** Whether the URL itself was asked for in this visit; default true. */
  readonly wasAsked?: boolean;
}

/** Ends a URL's visit: the record says how, counters count it, the next commit makes it so. */
export const settle = async (context: CrawlContext, turn: Turn, outcome: Outcome): Promise<void> => {
  const { clock, counts, frontier, committer, epoch, round } = context;
  const { record } = turn.entry;
  const nowMs = clock.nowMs();
  record.status = outcome.status;
  record.reason = outcome.reason ?? '';
  record.httpStatus = outcome.httpStatus ?? 0;
  record.intervalS = revisitIntervalS(outcome.status);
  record.fetchedAtMs = nowMs;
  record.dueAtMs = nowMs + Math.max(record.intervalS * 1000, outcome.waitMs ?? 0);
  record.leaseEpoch = epoch;
  record.round = round;
  record.retries = 0;
  if (outcome.wasAsked !== false) counts.asked += 1;
  if (record.httpStatus > 0) countUp(counts.byStatus, String(record.httpStatus));
  if (record.httpStatus === 200 || record.httpStatus === 304) counts.ok += 1;
  if (outcome.status === 'failed' || outcome.status === 'excluded') countUp(counts.errors, record.reason);
  if (outcome.status === 'duplicate') counts.duplicates += 1;
  frontier.settle(turn);
  committer.note();
  if (record.seed) await settleSeed(context, turn);
};

const settleSeed = async ({ seeds, intake, emit }: CrawlContext, { entry }: Turn): Promise<void> => {
  const { next, failed } = seeds.settled(entry.record);
  if (next !== undefined) {
    await intake.add([{ url: next, depth: 0, parentScore: 0, hops: [], seed: true }]);
  }
  // When none is left that may work, the crawl ends with an error that says so: a warning would say it twice.
  if (failed !== undefined && seeds.error() === undefined) {
    emit({ kind: 'warning', code: failed.code, text: `seed ${failed.text} does not work: ${failed.reason}` });
  }
};

/** The page that this URL had is void: the index must forget it. */
export const appendGone = async (
  { pages, clock, content }: CrawlContext,
  turn: Turn,
  { status, reason }: { readonly status: number; readonly reason: string },
): Promise<void> => {
  const { record } = turn.entry;
  await pages.append({ kind: 'gone', url: record.url, status, fetchedAtMs: clock.nowMs(), reason });
  if (record.textHash !== '') content.release(record.url, record.textHash);
  record.textHash = '';
  record.etag = '';
  record.lastModified = '';
};

/** Holds the host back, or gives it up for this run when the pause is too long to wait for. */
const pauseHost = (
  { frontier, clock }: CrawlContext,
  queue: BackQueue,
  waitMs: number,
  reason: string,
): void => {
  frontier.block(queue, clock.monotonicMs() + waitMs);
  if (waitMs > LONGEST_WAIT_MS) frontier.giveUp(queue, reason);
};

/** A seed of a host that never answered is not waited for: its user wants to know at once. */
const isHopelessSeed = ({ queue, entry }: Turn): boolean => entry.record.seed && queue.answers === 0;

const CONNECT_FAILURES: ReadonlySet<string> = new Set<FailureKind>([
  'connect-refused',
  'connect-timeout',
  'connect-unreachable',
  'headers-timeout',
]);

/** How a visit failed. */
export interface FailedVisit {
  readonly failure: FailureKind;
  /** Shown to the user; default the failure's name. */
  readonly reason?: string;
  readonly httpStatus?: number;
  readonly wasAsked?: boolean;
  /** What Retry-After said. */
  readonly waitMs?: number | undefined;
}

/** A visit has failed: asks again later or gives up, by the table of failures. */
export const settleFailure = async (context: CrawlContext, turn: Turn, visit: FailedVisit): Promise<void> => {
  const { frontier, clock, random } = context;
  const { queue, entry } = turn;
  const { failure, waitMs } = visit;
  const policy: FailurePolicy = FAILURES[failure];
  const reason = visit.reason ?? failure;
  entry.record.retries += 1;
  const isFinal = entry.record.retries >= policy.tries || isHopelessSeed(turn);
  if (policy.action === 'retryHost') {
    queue.failures += 1;
    pauseHost(context, queue, waitMs ?? backOffMs(policy, queue.failures, random), reason);
  } else if (waitMs !== undefined) {
    pauseHost(context, queue, waitMs, reason);
  }
  if (policy.action === 'giveUpHost') frontier.giveUp(queue, reason);
  if (CONNECT_FAILURES.has(failure) && queue.failures >= HOST_DEATH_FAILURES) frontier.giveUp(queue, reason);
  if (isFinal || queue.givenUp !== '') {
    const pausedMs = Math.max(0, queue.blockedUntilMs - clock.monotonicMs());
    const { httpStatus = 0, wasAsked = true } = visit;
    await settle(context, turn, { status: 'failed', reason, httpStatus, waitMs: pausedMs, wasAsked });
    return;
  }
  frontier.retry(turn, policy.action === 'retryUrl' ? backOffMs(policy, entry.record.retries, random) : 0);
  context.committer.note();
};

/** One more hop: the target is a URL of its own, which passes filter, eliminator, robots.txt and politeness. */
export const settleRedirect = async (
  context: CrawlContext,
  turn: Turn,
  { target, httpStatus }: { readonly target: NormalUrl; readonly httpStatus: number },
): Promise<void> => {
  const { pages, clock, intake, emit } = context;
  const { record } = turn.entry;
  await pages.append({
    kind: 'redirect',
    url: record.url,
    target,
    status: httpStatus,
    fetchedAtMs: clock.nowMs(),
  });
  record.redirectTo = target;
  const { depth, parentScore, seed, hops, url } = record;
  if (seed && intake.widen(target)) emit({ kind: 'scope', seed: url, host: hostOf(target) });
  // The new URL first: a commit between the two must not hold the acknowledgement alone.
  await intake.add([{ url: target, depth, parentScore, hops: [...hops, url], seed }]);
  await settle(context, turn, { status: 'redirected', httpStatus });
};
