import { failureOfStatus } from '../fetch/failures.ts';
import type { FetchResult } from '../fetch/fetcher.ts';
import { MAX_REDIRECTS } from '../fetch/limits.ts';
import { retryAfterMs } from '../fetch/retry-after.ts';
import type { Turn } from '../frontier/frontier.ts';
import type { RobotsVerdict } from '../robots/cache.ts';
import { normaliseUrl } from '../url/normalise.ts';
import type { CrawlContext } from './crawl-context.ts';
import type { FetchedPage } from './page-stage.ts';
import type { RobotsGate } from './robots-gate.ts';
import { appendGone, settle, settleFailure, settleRedirect } from './settle.ts';

type Answer = FetchResult & { readonly kind: 'answer' };

/** Attempts at a body that breaks off before its part is taken for the page. */
const BROKEN_BODY_TRIES = 2;

/**
 * One turn of a host: robots.txt, fetch, and what follows from the answer. A page goes on to the page stage; everything else
 * is settled here. The host's gap counts from the end of the answer, not from the end of its processing.
 */
export class Visitor {
  readonly #context: CrawlContext;
  readonly #robots: RobotsGate;
  readonly #toPages: (page: FetchedPage) => Promise<void>;

  constructor(context: CrawlContext, robots: RobotsGate, toPages: (page: FetchedPage) => Promise<void>) {
    this.#context = context;
    this.#robots = robots;
    this.#toPages = toPages;
  }

  async visit(turn: Turn): Promise<void> {
    const { frontier } = this.#context;
    const { givenUp } = turn.queue;
    if (givenUp !== '') {
      frontier.rest(turn);
      await this.#settleGivenUp(turn, givenUp);
      return;
    }
    const verdict = await this.#robots.check(turn);
    if (verdict === undefined) return;
    if (!verdict.allowed) {
      frontier.rest(turn);
      await this.#settleForbidden(turn, verdict);
      return;
    }
    await this.#fetch(turn);
  }

  async #fetch(turn: Turn): Promise<void> {
    const { frontier, fetcher, stopSignal } = this.#context;
    const { url, etag, lastModified } = turn.entry.record;
    const result = await fetcher.fetch({ url, etag, lastModified, signal: stopSignal });
    frontier.rest(turn, result);
    if (stopSignal.aborted) {
      frontier.putBack(turn);
    } else if (result.kind === 'failure') {
      await settleFailure(this.#context, turn, { failure: result.failure });
    } else {
      this.#context.counts.bytes += result.body.length;
      await this.#answered(turn, result);
    }
  }

  async #settleGivenUp(turn: Turn, reason: string): Promise<void> {
    const { clock } = this.#context;
    const waitMs = Math.max(0, turn.queue.blockedUntilMs - clock.monotonicMs());
    await settle(this.#context, turn, { status: 'failed', reason, waitMs, wasAsked: false });
  }

  async #settleForbidden(turn: Turn, verdict: RobotsVerdict): Promise<void> {
    if (verdict.source === 'unreachable') {
      await settleFailure(this.#context, turn, { failure: 'robots-unreachable', wasAsked: false });
      return;
    }
    const { record } = turn.entry;
    if (record.textHash !== '') await appendGone(this.#context, turn, { status: 0, reason: 'robots' });
    await settle(this.#context, turn, { status: 'excluded', reason: 'robots', wasAsked: false });
  }

  async #answered(turn: Turn, answer: Answer): Promise<void> {
    const { status, headers } = answer;
    const { queue } = turn;
    this.#context.frontier.noteAnswer(queue);
    const failure = failureOfStatus(status);
    if (failure !== undefined) {
      const waitMs = retryAfterMs(headers['retry-after'], this.#context.clock.nowMs());
      const reason = `http ${status}`;
      await settleFailure(this.#context, turn, { failure, reason, httpStatus: status, waitMs });
      return;
    }
    queue.failures = 0;
    if (status === 200 || status === 203) {
      await this.#page({ turn, answer });
    } else if (status === 304) {
      await this.#notModified(turn);
    } else if (status >= 300 && status < 400) {
      await this.#redirect(turn, answer);
    } else {
      await appendGone(this.#context, turn, { status, reason: `http ${status}` });
      await settle(this.#context, turn, { status: 'gone', reason: `http ${status}`, httpStatus: status });
    }
  }

  async #page(page: FetchedPage): Promise<void> {
    const { turn, answer } = page;
    const isBroken = answer.truncated === 'disconnect';
    if (isBroken && turn.entry.record.retries + 1 < BROKEN_BODY_TRIES) {
      await settleFailure(this.#context, turn, { failure: 'disconnect', httpStatus: answer.status });
      return;
    }
    await this.#toPages(page);
  }

  async #notModified(turn: Turn): Promise<void> {
    const { record } = turn.entry;
    if (record.etag === '' && record.lastModified === '') {
      await settleFailure(this.#context, turn, {
        failure: 'bad-response',
        reason: 'http 304',
        httpStatus: 304,
      });
      return;
    }
    record.checks += 1;
    await settle(this.#context, turn, { status: 'notModified', httpStatus: 304 });
  }

  async #redirect(turn: Turn, { status, headers }: Answer): Promise<void> {
    const { record } = turn.entry;
    const target = normaliseUrl(headers['location'] ?? '', record.url);
    const isLoop = target === record.url || (target !== undefined && record.hops.includes(target));
    if (target === undefined || isLoop || record.hops.length + 1 > MAX_REDIRECTS) {
      const reason = target === undefined ? `http ${status}` : isLoop ? 'redirect loop' : 'redirects';
      await settleFailure(this.#context, turn, { failure: 'redirects', reason, httpStatus: status });
      return;
    }
    await settleRedirect(this.#context, turn, { target, httpStatus: status });
  }
}
