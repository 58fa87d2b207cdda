import type { HostKey, NormalUrl } from '../../shards/index.ts';
import { failureOfStatus } from '../fetch/failures.ts';
import type { FetchResult } from '../fetch/fetcher.ts';
import { MAX_ROBOTS_REDIRECTS } from '../fetch/limits.ts';
import { retryAfterMs } from '../fetch/retry-after.ts';
import type { Turn } from '../frontier/frontier.ts';
import { inflate } from '../parse/inflate.ts';
import { isAllowed, isFresh, type RobotsVerdict } from '../robots/cache.ts';
import { MAX_ROBOTS_BYTES } from '../robots/parse.ts';
import { hostOf, originOf } from '../url/hosts.ts';
import { normaliseUrl } from '../url/normalise.ts';
import type { CrawlContext } from './crawl-context.ts';

/** Fetches of a robots.txt that failed before its URLs are given up for this run; the row says how long to wait between. */
const ROBOTS_TRIES = 2;

/** A robots.txt on its way through redirects. */
interface Journey {
  readonly url: NormalUrl;
  readonly hops: number;
}

/**
 * robots.txt before every URL, when it leaves the frontier, so also on each redirect hop (RFC 9309). A file that is missing
 * or stale is fetched in the host's own turn, one hop a turn; the URL waits for the next.
 */
export class RobotsGate {
  readonly #context: CrawlContext;
  readonly #journeys = new Map<string, Journey>();
  /** Origins whose file is being asked for in another turn. */
  readonly #underWay = new Set<string>();

  constructor(context: CrawlContext) {
    this.#context = context;
  }

  /** The verdict on the turn's URL; undefined when the turn was used up to get the file. */
  async check(turn: Turn): Promise<RobotsVerdict | undefined> {
    const { robots, robotsAgent, clock } = this.#context;
    const { url } = turn.entry.record;
    const row = robots.get(url);
    if (row === undefined || !isFresh(row, clock.nowMs())) {
      await this.#advance(turn, originOf(url));
      return undefined;
    }
    const verdict = isAllowed(row, robotsAgent, url, clock.nowMs());
    turn.queue.crawlDelayMs = 1000 * (verdict.crawlDelayS ?? 0);
    if (verdict.source === 'unreachable' && row.failureCount < ROBOTS_TRIES && turn.queue.answers > 0) {
      this.#context.frontier.block(turn.queue, clock.monotonicMs() + row.freshUntilMs - clock.nowMs());
      this.#context.frontier.putBack(turn);
      this.#context.frontier.rest(turn);
      return undefined;
    }
    return verdict;
  }

  /** One hop of the way to an origin's robots.txt. The turn ends, the URL goes back. */
  async #advance(turn: Turn, origin: string): Promise<void> {
    const { frontier } = this.#context;
    if (this.#underWay.has(origin)) {
      frontier.putBack(turn);
      frontier.rest(turn);
      return;
    }
    this.#underWay.add(origin);
    const journey = this.#journeys.get(origin) ?? { url: `${origin}/robots.txt` as NormalUrl, hops: 0 };
    frontier.pause(turn.queue);
    frontier.putBack(turn);
    try {
      if (hostOf(journey.url) === turn.queue.host) {
        const result = await this.#fetch(journey, origin);
        this.#arrive(origin, journey, result);
        frontier.rest(turn, result);
      } else {
        frontier.rest(turn);
        await this.#visitOther(turn, origin, journey);
      }
    } finally {
      this.#underWay.delete(origin);
      frontier.resume(turn.queue);
    }
  }

  /** The file is said to be on another host: that host's politeness holds too. */
  async #visitOther(turn: Turn, origin: string, journey: Journey): Promise<void> {
    const { frontier, clock } = this.#context;
    const visit = frontier.visit(hostOf(journey.url) as HostKey);
    if ('waitMs' in visit) {
      this.#journeys.set(origin, journey);
      frontier.block(turn.queue, clock.monotonicMs() + visit.waitMs);
      return;
    }
    const result = await this.#fetch(journey, origin);
    this.#arrive(origin, journey, result);
    frontier.endVisit(visit.queue, result);
  }

  #fetch(journey: Journey, origin: string): Promise<FetchResult> {
    const { fetcher, robots, stopSignal } = this.#context;
    const known = journey.hops === 0 ? robots.get(`${origin}/` as NormalUrl) : undefined;
    const validators =
      known?.body === undefined ? {} : { etag: known.etag, lastModified: known.lastModified };
    return fetcher.fetch({
      url: journey.url,
      maxBytes: MAX_ROBOTS_BYTES + 1,
      signal: stopSignal,
      ...validators,
    });
  }

  #arrive(origin: string, { url, hops }: Journey, result: FetchResult): void {
    const { robots, clock, frontier, stopSignal } = this.#context;
    this.#journeys.delete(origin);
    // A fetch that our own stop broke off says nothing about the site.
    if (stopSignal.aborted) return;
    const nowMs = clock.nowMs();
    if (result.kind === 'failure') {
      robots.update({ origin, status: 0, body: new Uint8Array(), headers: {}, nowMs });
      return;
    }
    const { status, headers } = result;
    const queue = frontier.queueOf(url);
    if (failureOfStatus(status) === undefined) frontier.noteAnswer(queue);
    const waitMs = retryAfterMs(headers['retry-after'], nowMs);
    if (failureOfStatus(status) !== undefined && waitMs !== undefined) {
      frontier.block(queue, clock.monotonicMs() + waitMs);
    }
    const target = status >= 300 && status < 400 ? normaliseUrl(headers['location'] ?? '', url) : undefined;
    if (target !== undefined && hops < MAX_ROBOTS_REDIRECTS) {
      this.#journeys.set(origin, { url: target, hops: hops + 1 });
      return;
    }
    const isBroken = result.truncated === 'disconnect' || result.truncated === 'time';
    const maxBytes = MAX_ROBOTS_BYTES + 1;
    const body =
      status === 200
        ? inflate(result.body, headers['content-encoding'] ?? '', { maxBytes }).body
        : new Uint8Array();
    const row = robots.update({ origin, status: isBroken ? 0 : status, body, headers, nowMs });
    // Known before the turn ends, so that the first page already waits as long.
    const start = `${origin}/` as NormalUrl;
    const { crawlDelayS = 0 } = isAllowed(row, this.#context.robotsAgent, start, nowMs);
    frontier.queueOf(start).crawlDelayMs = 1000 * crawlDelayS;
  }
}
