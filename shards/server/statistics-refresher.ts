import { isDeepStrictEqual } from 'node:util';
import { failRemote } from '../remote/errors.ts';
import { type Contribution, decodeContribution } from '../statistics/contribution-file.ts';
import { dropContribution, keepContribution, readContributions } from '../statistics/contributions.ts';
import { relativeChange } from '../statistics/drift.ts';
import { encodeEpoch } from '../statistics/epoch-file.ts';
import { listEpochs, readEpochBytes, writeEpoch } from '../statistics/epochs.ts';
import { averageLengthsOf, type ShardStatistics, sumStatistics } from '../statistics/shard-statistics.ts';
import { type Clock, systemClock } from '../values/clock.ts';
import { type EpochNumber, epochNumber } from '../values/ids.ts';
import type { KnownContribution, NodeStatus, ShardClient, ShardContribution } from './shard-client.ts';

export interface RefresherOptions {
  /** All nodes of the index; they are not closed with the refresher. */
  readonly nodes: readonly ShardClient[];
  /** Where epochs are published and contributions kept: the data folder's `stats`. */
  readonly statsFolder: string;
  /** Milliseconds between two refreshes, 30,000 by default. */
  readonly intervalMs?: number;
  /** Milliseconds between two looks at the shards' sizes, and that a node may take to tell them, 2,000 by default. */
  readonly lookMs?: number;
  /** Share by which the documents of a shard may change before it is counted at once, 0.01 by default. */
  readonly maxShardDrift?: number;
  /** Told when a node or the folder fails: the epoch in force goes on. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** What the refresher knows of one shard. */
export interface ContributionStatus {
  readonly shard: number;
  /** Since it was counted, or last found as it was counted. */
  readonly ageMs: number;
  /** Whether the shard's node answered when it was asked last. */
  readonly isLive: boolean;
}

const DEFAULT_INTERVAL_MS = 30_000;
const DEFAULT_LOOK_MS = 2000;
const DEFAULT_MAX_SHARD_DRIFT = 0.01;

/** A contribution, and when the shard was last seen to have it. */
interface Known {
  readonly contribution: Contribution;
  seenAtMs: number;
}

/** What the nodes said when they were asked last; undefined for one that did not answer. */
type Answers = readonly (readonly ShardContribution[] | undefined)[];

/**
 * Keeps the global statistics fresh: pulls what each shard adds, sums, publishes the next epoch, stages it on every node
 * that answers. A shard whose node is silent stays in the sum with what it added last, kept on disk; where nothing at all is
 * known of a node's shards no epoch is published, since it would forget them. Nothing depends on the refresher: without it the
 * epoch in force stays in force. Two of them over the same nodes do no harm: a number is published once.
 */
export class StatisticsRefresher {
  readonly #options: RefresherOptions;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #known: Map<number, Known> | undefined;
  #live: ReadonlySet<number> = new Set();
  #refreshing: Promise<EpochNumber | undefined> | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: RefresherOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Begins to refresh in the background, at once and then for ever. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Ends the background work. Idempotent. */
  async close(): Promise<void> {
    this.#ended.abort();
    await this.#loop;
    await this.#refreshing?.catch(() => undefined);
  }

  get #lookMs(): number {
    return this.#options.lookMs ?? DEFAULT_LOOK_MS;
  }

  /** What is known of each shard, by number. */
  status(): readonly ContributionStatus[] {
    const nowMs = this.#clock.nowMs();
    return [...(this.#known ?? [])]
      .sort(([a], [b]) => a - b)
      .map(([shard, { seenAtMs }]) => ({
        shard,
        ageMs: Math.max(0, nowMs - seenAtMs),
        isLive: this.#live.has(shard),
      }));
  }

  /**
   * Counts what has changed and, if anything has, publishes the next epoch and stages it. Resolves to the epoch that was
   * published, undefined when none was. Concurrent calls share one refresh. Throws what the folder throws.
   */
  refresh(): Promise<EpochNumber | undefined> {
    this.#refreshing ??= this.#refreshNow().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #run(): Promise<void> {
    const { intervalMs = DEFAULT_INTERVAL_MS } = this.#options;
    const lookMs = this.#lookMs;
    let dueMs = Number.NEGATIVE_INFINITY;
    while (!this.#ended.signal.aborted) {
      try {
        if (this.#clock.monotonicMs() >= dueMs || (await this.#hasMoved())) {
          dueMs = this.#clock.monotonicMs() + intervalMs;
          await this.refresh();
        }
        await this.#clock.sleep(Math.min(lookMs, intervalMs), this.#ended.signal);
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        this.#options.onError?.(error);
        await this.#clock.sleep(lookMs, this.#ended.signal).catch(() => undefined);
      }
    }
  }

  /** Whether a shard has grown or shrunk by more than it may since it was counted, or a node lacks the newest epoch. */
  async #hasMoved(): Promise<boolean> {
    const { maxShardDrift = DEFAULT_MAX_SHARD_DRIFT } = this.#options;
    const statuses = (await this.#statuses()).filter((status) => status !== undefined);
    const newest = Math.max(...statuses.map(({ epoch }) => epoch));
    if (statuses.some(({ epoch }) => epoch < newest)) return true;
    return statuses
      .flatMap(({ shards }) => shards)
      .some(({ shard, docCount }) => {
        const counted = this.#known?.get(shard)?.contribution.statistics.docCount;
        return counted === undefined || Math.abs(relativeChange(counted, docCount)) > maxShardDrift;
      });
  }

  async #refreshNow(): Promise<EpochNumber | undefined> {
    const { nodes } = this.#options;
    const known = await this.#load();
    const versions = [...known.values()].map(({ contribution: { shard, version } }) => ({ shard, version }));
    const answers = await Promise.all(nodes.map((_, index) => this.#contributionsOf(index, versions)));
    this.#ended.signal.throwIfAborted();
    await this.#takeIn(answers, known);
    const statuses = await this.#statuses();
    const forgets = answers.includes(undefined) && [...known.keys()].every((shard) => this.#live.has(shard));
    const published = forgets ? undefined : await this.#publish(known, statuses);
    await this.#stage(statuses);
    return published;
  }

  readonly #report = (error: unknown): undefined => {
    if (!this.#ended.signal.aborted) this.#options.onError?.(error);
  };

  /** undefined when the node fails. Counting may take long, but a node that is silent meanwhile is given up. */
  async #contributionsOf(
    index: number,
    known: readonly KnownContribution[],
  ): Promise<readonly ShardContribution[] | undefined> {
    const settled = new AbortController();
    const signal = AbortSignal.any([this.#ended.signal, settled.signal]);
    try {
      const counting = this.#options.nodes[index]?.contributions(known, signal);
      return await Promise.race([counting, this.#untilSilent(index, signal)]);
    } catch (error) {
      return this.#report(error);
    } finally {
      settled.abort();
    }
  }

  /** Rejects when the node does not say its status in time. */
  async #untilSilent(index: number, signal: AbortSignal): Promise<never> {
    for (;;) {
      await this.#clock.sleep(this.#lookMs, signal);
      await this.#statusOf(index);
    }
  }

  #statuses(): Promise<readonly (NodeStatus | undefined)[]> {
    return Promise.all(this.#options.nodes.map((_, index) => this.#statusOf(index).catch(this.#report)));
  }

  /** Throws what the node throws, and SHARDS_NODE_LATE when it takes longer than from one look to the next. */
  async #statusOf(index: number): Promise<NodeStatus | undefined> {
    const settled = new AbortController();
    const timeoutMs = this.#lookMs;
    const late = this.#clock
      .sleep(timeoutMs, AbortSignal.any([this.#ended.signal, settled.signal]))
      .then((): never => {
        throw failRemote('SHARDS_NODE_LATE', { node: `number ${index + 1}`, timeoutMs });
      });
    try {
      return await Promise.race([this.#options.nodes[index]?.status(), late]);
    } finally {
      settled.abort();
    }
  }

  /** What an earlier refresher kept; an age counts from when that one counted. */
  async #load(): Promise<Map<number, Known>> {
    if (this.#known !== undefined) return this.#known;
    const kept = await readContributions(this.#options.statsFolder);
    this.#known = new Map(
      [...kept].map(([shard, contribution]) => [shard, { contribution, seenAtMs: contribution.countedAtMs }]),
    );
    return this.#known;
  }

  /** Keeps new contributions; drops those of shards that no node serves any more, once all nodes have answered. */
  async #takeIn(answers: Answers, known: Map<number, Known>): Promise<void> {
    const { statsFolder } = this.#options;
    const seenAtMs = this.#clock.nowMs();
    const all = answers.flatMap((answer) => answer ?? []);
    this.#live = new Set(all.map(({ shard }) => shard));
    for (const { shard, bytes } of all) {
      const before = known.get(shard);
      if (bytes === undefined) {
        if (before !== undefined) before.seenAtMs = seenAtMs;
        continue;
      }
      known.set(shard, { contribution: decodeContribution(bytes, `the counts of shard ${shard}`), seenAtMs });
      await keepContribution(statsFolder, shard, bytes);
    }
    if (answers.includes(undefined)) return;
    for (const shard of known.keys()) {
      if (this.#live.has(shard)) continue;
      known.delete(shard);
      await dropContribution(statsFolder, shard);
    }
  }

  /** Publishes the sum unless the newest epoch says the same. */
  async #publish(
    known: ReadonlyMap<number, Known>,
    statuses: readonly (NodeStatus | undefined)[],
  ): Promise<EpochNumber | undefined> {
    const { statsFolder } = this.#options;
    if (known.size === 0) return undefined;
    const sum = sumStatistics([...known.values()].map(({ contribution }) => contribution.statistics));
    const onNodes = Math.max(0, ...statuses.map((status) => status?.epoch ?? 0));
    const isInForce =
      onNodes > ((await listEpochs(statsFolder))[0] ?? 0)
        ? await this.#isStagedElsewhere(epochNumber(onNodes), sum, statuses)
        : await isPublished(statsFolder, sum);
    if (isInForce) return undefined;
    return writeEpoch(statsFolder, sum, epochNumber(onNodes + 1));
  }

  /** Whether the epoch that another refresher gave the nodes has the same figures: then there is nothing to add. */
  async #isStagedElsewhere(
    epoch: EpochNumber,
    sum: ShardStatistics,
    statuses: readonly (NodeStatus | undefined)[],
  ): Promise<boolean> {
    const holder = this.#options.nodes[statuses.findIndex((status) => status?.epoch === epoch)];
    const staged = await holder?.statistics(epoch).catch(this.#report);
    if (staged === undefined) return false;
    const { docCount, averageLengths, highTierThreshold } = staged;
    return isDeepStrictEqual(
      { docCount, averageLengths, highTierThreshold },
      {
        docCount: sum.docCount,
        averageLengths: averageLengthsOf(sum),
        highTierThreshold: sum.staticScores.highTierThreshold(),
      },
    );
  }

  /** Gives the newest epoch to every node that answers and has it not. */
  async #stage(statuses: readonly (NodeStatus | undefined)[]): Promise<void> {
    const { nodes, statsFolder } = this.#options;
    const [newest] = await listEpochs(statsFolder);
    const behind = nodes.filter((_, index) => {
      const status = statuses[index];
      return status !== undefined && newest !== undefined && status.epoch < newest;
    });
    if (behind.length === 0) return;
    const bytes = await readEpochBytes(statsFolder, newest);
    await Promise.all(behind.map((node) => node.stage(bytes).catch(this.#report)));
  }
}

/** Whether the newest epoch of the folder has just these counts. */
const isPublished = async (statsFolder: string, statistics: ShardStatistics): Promise<boolean> => {
  const [newest] = await listEpochs(statsFolder);
  if (newest === undefined) return false;
  const bytes = await readEpochBytes(statsFolder, newest);
  return Buffer.compare(bytes, Buffer.concat(encodeEpoch(newest, statistics))) === 0;
};
