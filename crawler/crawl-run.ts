import { setMaxListeners } from 'node:events';
import { isIP } from 'node:net';
import { type HostKey, isDiskFull, type NormalUrl, QuarryError, trustNormalUrl } from '../shards/index.ts';
import { fromAddress, robotsAgent, userAgent } from './agent.ts';
import { LocalContentSeen } from './content-seen/content-seen.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { fail } from './errors.ts';
import { FAILURES, failureOf } from './fetch/failures.ts';
import { Fetcher } from './fetch/fetcher.ts';
import { FETCH_LIMITS } from './fetch/limits.ts';
import { loadScorer } from './focus/page-scorer.ts';
import type { BackQueue } from './frontier/back-queue.ts';
import { Frontier, type Turn } from './frontier/frontier.ts';
import { backOffMs, isPolite } from './frontier/politeness.ts';
import { breadthFirst, byParentScore } from './frontier/prioritiser.ts';
import { CrawlStore } from './frontier/store.ts';
import { originId, urlFingerprint } from './frontier/store-keys.ts';
import { validateSelectors } from './parse/selectors.ts';
import { RobotsCache, type RobotsRow } from './robots/cache.ts';
import { nextEpoch, planRound, type RoundPlan, saveRound } from './round.ts';
import { type Seed, Seeds } from './seeds.ts';
import { Committer } from './stages/committer.ts';
import type { CrawlContext } from './stages/crawl-context.ts';
import { Dispatcher } from './stages/dispatcher.ts';
import { LinkIntake } from './stages/link-intake.ts';
import { Notifier } from './stages/notifier.ts';
import { archivePage, type FetchedPage, givenSelectors } from './stages/page-stage.ts';
import { RobotsGate } from './stages/robots-gate.ts';
import { Stage } from './stages/stage.ts';
import type { CrawlSummary } from './stages/statistics.ts';
import { Visitor } from './stages/visit.ts';
import { Watch } from './stages/watch.ts';
import { hostOf } from './url/hosts.ts';
import { SeenTable } from './url/seen-urls.ts';

/** Pages that wait for a parser beside those being parsed: more make the fetch slots wait. */
const PAGE_QUEUE_CAPACITY = 64;
const PAGES_PER_WORKER = 4;
/** After a stop, fetches under way have this long to end by themselves. */
const STOP_GRACE_MS = 2_000;

type WithDefault = 'clock' | 'random' | 'dataFolder' | 'onProgress' | 'resolver' | 'parser';
/** The options of a crawl with their defaults filled in. */
export type CrawlParts = Required<Pick<CrawlOptions, WithDefault>> & Omit<CrawlOptions, WithDefault>;

const patterns = (texts: readonly string[]): RegExp[] =>
  texts.map((text) => {
    try {
      return new RegExp(text);
    } catch (cause) {
      throw fail('CRAWL_BAD_PATTERN', { pattern: text, reason: (cause as Error).message }, cause);
    }
  });

/** One run of a crawl: makes the stages, starts, drains and closes them. */
export class CrawlRun {
  readonly #parts: CrawlParts;
  readonly #store: CrawlStore;
  readonly #plan: RoundPlan;
  readonly #context: CrawlContext;
  readonly #wake: Notifier;
  readonly #stop = new AbortController();
  readonly #visits: Stage<Turn>;
  readonly #pages: Stage<FetchedPage>;
  readonly #seen = new SeenTable();
  #failure: { readonly stage: string; readonly error: unknown } | undefined;
  #limit = false;

  /** Errors: CRAWL_STORE_…, CRAWL_SCORER_INVALID, CRAWL_BAD_PATTERN, CRAWL_BAD_SELECTOR, CRAWL_AGENT_INVALID. */
  static async open(parts: CrawlParts, seeds: readonly Seed[]): Promise<CrawlRun> {
    const { config } = parts;
    const scorer = config.scorer === '' ? undefined : await loadScorer(config.scorer, config.scorerModel);
    const filters = {
      scope: config.scope,
      includeDomains: config.includeDomain,
      excludeDomains: config.excludeDomain,
      include: patterns(config.include),
      exclude: patterns(config.exclude),
      excludeExtensions: config.excludeExtension,
    };
    const agent = robotsAgent(userAgent(config));
    for (const own of [config, ...Object.values(config.hosts)]) validateSelectors(givenSelectors(own) ?? {});
    const store = CrawlStore.open(parts.folder);
    try {
      return new CrawlRun({ parts, seeds, store, scorer, filters, agent });
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  private constructor(made: {
    readonly parts: CrawlParts;
    readonly seeds: readonly Seed[];
    readonly store: CrawlStore;
    readonly scorer: CrawlContext['scorer'];
    readonly filters: ConstructorParameters<typeof LinkIntake>[0]['filters'];
    readonly agent: string;
  }) {
    const { parts, seeds, store } = made;
    const { config, clock, random } = parts;
    this.#parts = parts;
    this.#store = store;
    this.#wake = new Notifier(clock);
    this.#plan = planRound(store, config, clock.nowMs());
    for (const fingerprint of store.fingerprints()) this.#seen.add(fingerprint);
    const frontier = this.#makeFrontier();
    const seedUrls = seeds.flatMap((seed) => seed.candidates);
    const intake = new LinkIntake({
      frontier,
      seen: this.#seen,
      prioritise: made.scorer === undefined ? breadthFirst : byParentScore,
      filters: made.filters,
      scopeSeeds: [...new Set([...seedUrls, ...this.#plan.round.scopeSeeds.map(trustNormalUrl)])],
    });
    const seedHosts = new Set<HostKey>(seedUrls.map(hostOf));
    this.#context = {
      config,
      clock,
      random,
      store,
      frontier,
      intake,
      fetcher: this.#makeFetcher((host) => config.allowPrivate || seedHosts.has(host)),
      robots: new RobotsCache({
        get: (origin) => store.robots<RobotsRow>(originId(trustNormalUrl(`${origin}/`))),
        put: (row) => store.putRobots(originId(trustNormalUrl(`${row.origin}/`)), row),
      }),
      parser: parts.parser,
      content: new LocalContentSeen(store),
      pages: parts.pages,
      committer: new Committer({
        store,
        frontier,
        pages: parts.pages,
        clock,
        beforeSeal: () => this.#saveRound(),
        onFailure: (stage, error) => this.#fail(stage, error),
      }),
      seeds: new Seeds(seeds),
      scorer: made.scorer,
      robotsAgent: made.agent,
      counts: this.#plan.round.counts,
      epoch: nextEpoch(store),
      round: this.#plan.round.number,
      stopSignal: this.#stop.signal,
      emit: parts.onProgress,
    };
    // Each fetch under way listens to it.
    setMaxListeners(config.concurrency + 1, this.#stop.signal);
    this.#pages = this.#makePageStage();
    this.#visits = this.#makeVisitStage();
  }

  /** Nothing was fetched in this run, and nothing before it. */
  get isVain(): boolean {
    return this.#context.counts.ok === 0 && this.#context.seeds.error() !== undefined;
  }

  #makeFrontier(): Frontier {
    const { clock, random, config, resolver } = this.#parts;
    return new Frontier({
      store: this.#store,
      clock,
      random,
      settings: config,
      resolve: async (host) =>
        isIP(host.replace(/^\[|\]$/g, '')) > 0 ? host : await firstOf(resolver.resolve(host)),
      onUnresolved: (queue, error) => this.#unresolved(queue, error),
      onChange: () => this.#wake.notify(),
    });
  }

  #makeFetcher(mayBePrivate: (host: HostKey) => boolean): Fetcher {
    const { clock, config, resolver } = this.#parts;
    return new Fetcher({
      clock,
      limits: FETCH_LIMITS,
      agent: userAgent(config),
      from: fromAddress(config),
      lookUp: (host) => resolver.resolve(host),
      mayBePrivate,
      connectionsPerOrigin: isPolite(config) ? 1 : config.concurrency,
    });
  }

  #makePageStage(): Stage<FetchedPage> {
    return new Stage<FetchedPage>({
      name: 'pages',
      concurrency: this.#parts.config.parseWorkers * PAGES_PER_WORKER,
      capacity: PAGE_QUEUE_CAPACITY,
      work: (page) => archivePage(this.#context, page),
      onFailure: (stage, error) => this.#fail(stage, error),
      onProgress: () => this.#wake.notify(),
    });
  }

  #makeVisitStage(): Stage<Turn> {
    const visitor = new Visitor(this.#context, new RobotsGate(this.#context), (page) =>
      this.#pages.push(page),
    );
    return new Stage<Turn>({
      name: 'visits',
      concurrency: this.#parts.config.concurrency,
      capacity: 0,
      work: (turn) => visitor.visit(turn),
      onFailure: (stage, error) => this.#fail(stage, error),
      onProgress: () => this.#wake.notify(),
    });
  }

  async run(): Promise<CrawlSummary> {
    const { clock, signal } = this.#parts;
    const startedAtMs = clock.monotonicMs();
    const wakeUp = (): void => this.#wake.notify();
    signal?.addEventListener('abort', wakeUp);
    await this.#enqueueKnown();
    await this.#enqueueSeeds();
    const dispatcher = new Dispatcher({
      context: this.#context,
      visits: this.#visits,
      pages: this.#pages,
      wake: this.#wake,
      isStopping: () => this.#isStopping,
      onPageLimit: () => this.#reachLimit(),
    });
    const watch = new Watch({
      context: this.#context,
      dispatcher,
      load: () => this.#visits.load,
      dataFolder: this.#parts.dataFolder,
      knownUrls: () => this.#seen.size,
      onLimit: () => this.#reachLimit(),
    });
    // A failure of either is one of the crawl: what is under way ends in order, then it is thrown.
    const watching = watch.run().catch((error: unknown) => this.#fail('watch', error));
    await dispatcher.run().catch((error: unknown) => this.#fail('dispatcher', error));
    await this.#drain();
    watch.stop();
    await watching;
    signal?.removeEventListener('abort', wakeUp);
    return this.#finish(clock.monotonicMs() - startedAtMs);
  }

  /** Closes everything that this run opened; what was settled since the last commit is forgotten. Idempotent. */
  async close(): Promise<void> {
    await this.#context.committer.close();
    await this.#context.fetcher.close();
    await this.#store.close();
  }

  get #isStopping(): boolean {
    return this.#failure !== undefined || this.#limit || this.#parts.signal?.aborted === true;
  }

  #reachLimit(): void {
    this.#limit = true;
    this.#wake.notify();
  }

  #fail(stage: string, error: unknown): void {
    this.#failure ??= { stage, error };
    this.#wake.notify();
  }

  #unresolved(queue: BackQueue, error: unknown): void {
    const { frontier, clock, random } = this.#context;
    const failure = failureOf(error);
    const policy = FAILURES[failure === 'dns-not-found' ? failure : 'dns-failed'];
    queue.failures += 1;
    if (queue.failures >= policy.tries)
      frontier.giveUp(queue, failure === 'dns-not-found' ? failure : 'dns-failed');
    else frontier.block(queue, clock.monotonicMs() + backOffMs(policy, queue.failures, random));
  }

  /** Puts what is due into the frontier, unless an unfinished round goes on. */
  async #enqueueKnown(): Promise<void> {
    if (this.#plan.isResumed) return;
    const queued = new Set(this.#context.frontier.queuedFingerprints());
    for (const { fingerprint, record } of this.#store.urls()) {
      if (queued.has(fingerprint) || !this.#plan.isDue(record)) continue;
      if (this.#plan.ignoresValidators) {
        record.etag = '';
        record.lastModified = '';
      }
      this.#context.frontier.add(record);
      if (this.#store.writeCount > 8_192) await this.#context.committer.flush();
    }
  }

  async #enqueueSeeds(): Promise<void> {
    const { seeds, store, intake, frontier } = this.#context;
    for (const seed of seeds.all) {
      const record = store.url(urlFingerprint(seed.current));
      const link = { url: seed.current, depth: 0, parentScore: 0, hops: [], seed: true };
      if (record === undefined) await intake.add([link]);
      else if (record.status === 'failed' || record.status === 'excluded')
        frontier.addIfIdle({ ...record, seed: true });
      else seeds.settled(record);
    }
    this.#context.committer.note();
  }

  /** Lets what is under way end; after a stop only for a while. */
  async #drain(): Promise<void> {
    if (this.#isStopping) {
      const timer = new AbortController();
      this.#parts.clock.sleep(STOP_GRACE_MS, timer.signal).then(
        () => this.#stop.abort(),
        () => undefined,
      );
      await this.#visits.drain();
      timer.abort();
    }
    await this.#visits.drain();
    await this.#pages.drain();
  }

  async #finish(durationMs: number): Promise<CrawlSummary> {
    const { counts, frontier, committer, seeds } = this.#context;
    const isInterrupted = this.#parts.signal?.aborted === true;
    if (this.#failure !== undefined) this.#throwFailure(this.#failure);
    this.#plan.round.isFinished = !isInterrupted;
    await committer.flush();
    if (this.#failure !== undefined) this.#throwFailure(this.#failure);
    const error = seeds.error();
    if (error !== undefined && counts.ok === 0) throw error;
    if (error !== undefined) this.#context.emit({ kind: 'warning', code: error.code, text: error.message });
    return {
      ...counts,
      hosts: frontier.answeredHostCount,
      knownUrls: this.#seen.size,
      queued: frontier.size,
      durationMs,
      stopped: isInterrupted ? 'interrupted' : this.#limit ? 'limit' : 'done',
    };
  }

  #throwFailure({ stage, error }: { readonly stage: string; readonly error: unknown }): never {
    if (error instanceof QuarryError || isDiskFull(error)) throw error;
    throw fail('CRAWL_STAGE_FAILED', { stage, reason: (error as Error).message }, error);
  }

  #saveRound(): void {
    const scopeSeeds: readonly NormalUrl[] = this.#context.intake.scopeSeeds;
    const { round } = this.#plan;
    round.updatedAtMs = this.#parts.clock.nowMs();
    saveRound(this.#store, { ...round, scopeSeeds });
  }
}

const firstOf = async (addresses: Promise<readonly string[]>): Promise<string> => {
  const [first] = await addresses;
  if (first === undefined) throw Object.assign(new Error('the name has no address'), { code: 'ENODATA' });
  return first;
};
