import type { NormalUrl } from '../../shards/index.ts';
import { type Partition, partitionOf } from '../frontier/store-keys.ts';
import { hostOf } from '../url/hosts.ts';

/** A link that passed the filters, on its way to the node that owns its host. */
export interface RoutedLink {
  readonly url: NormalUrl;
  readonly depth: number;
  readonly parentScore: number;
  readonly hops: readonly NormalUrl[];
  readonly seed: boolean;
}

/** Where links of some partitions go: the eliminator of this process, or a stream to another. */
export interface LinkTarget {
  accept(links: readonly RoutedLink[]): Promise<void>;
}

/** Host splitter (IIR 20.2.1): every link goes to the owner of its partition, one batch per target. */
export class HostSplitter {
  readonly #targetOf: (partition: Partition) => LinkTarget;

  constructor(targetOf: (partition: Partition) => LinkTarget) {
    this.#targetOf = targetOf;
  }

  async route(links: readonly RoutedLink[]): Promise<void> {
    const batches = new Map<LinkTarget, RoutedLink[]>();
    for (const link of links) {
      const target = this.#targetOf(partitionOf(hostOf(link.url)));
      const batch = batches.get(target);
      if (batch === undefined) batches.set(target, [link]);
      else batch.push(link);
    }
    for (const [target, batch] of batches) await target.accept(batch);
  }
}
