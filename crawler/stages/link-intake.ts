import type { NormalUrl } from '../../shards/index.ts';
import { HostSplitter, type LinkTarget, type RoutedLink } from '../cluster/host-splitter.ts';
import type { Frontier } from '../frontier/frontier.ts';
import type { Prioritiser } from '../frontier/prioritiser.ts';
import { urlFingerprint } from '../frontier/store-keys.ts';
import { newUrlRecord } from '../frontier/url-record.ts';
import { composeFilters, type FilterSettings, type UrlFilter } from '../url/filters.ts';
import { hostOf } from '../url/hosts.ts';
import type { SeenUrls } from '../url/seen-urls.ts';

export interface LinkIntakeOptions {
  readonly frontier: Frontier;
  readonly seen: SeenUrls;
  readonly prioritise: Prioritiser;
  /** Without `seeds`, which `widen` adds to. */
  readonly filters: Omit<FilterSettings, 'seeds'>;
  readonly scopeSeeds: readonly NormalUrl[];
}

/** The way of a link into the frontier: filter, host splitter, duplicate-URL eliminator (IIR figure 20.1). */
export class LinkIntake implements LinkTarget {
  readonly #options: LinkIntakeOptions;
  readonly #splitter: HostSplitter;
  readonly #scopeSeeds: NormalUrl[];
  #filter: UrlFilter;

  constructor(options: LinkIntakeOptions) {
    this.#options = options;
    this.#scopeSeeds = [...options.scopeSeeds];
    this.#filter = composeFilters({ ...options.filters, seeds: this.#scopeSeeds });
    this.#splitter = new HostSplitter(() => this);
  }

  /** What the scope is measured from, redirect targets of seeds included. */
  get scopeSeeds(): readonly NormalUrl[] {
    return this.#scopeSeeds;
  }

  /** A seed has led to this URL: its host belongs to the scope from now on. Says whether that is new. */
  widen(url: NormalUrl): boolean {
    const isKnown = this.#scopeSeeds.some((seed) => hostOf(seed) === hostOf(url));
    if (isKnown && this.#options.filters.scope !== 'prefix') return false;
    this.#scopeSeeds.push(url);
    this.#filter = composeFilters({ ...this.#options.filters, seeds: this.#scopeSeeds });
    return !isKnown;
  }

  /** Seeds and what they redirect to pass unfiltered: the user named them. */
  async add(links: readonly RoutedLink[]): Promise<void> {
    const passed = links.filter((link) => link.seed || this.#filter(link.url) === undefined);
    if (passed.length > 0) await this.#splitter.route(passed);
  }

  /** The local end of the host splitter. */
  accept(links: readonly RoutedLink[]): Promise<void> {
    const { seen, frontier, prioritise } = this.#options;
    for (const link of links) {
      if (!seen.add(urlFingerprint(link.url))) continue;
      const { depth, parentScore, hops, seed } = link;
      const level = prioritise({ depth, parentScore, seed });
      frontier.add(newUrlRecord(link.url, { depth, parentScore, hops, seed, level }));
    }
    return Promise.resolve();
  }
}
