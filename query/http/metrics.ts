import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Answer } from '../broker/answer.ts';
import type { IndexOverview } from '../broker/broker.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const STAGES = ['parse', 'queue', 'search', 'merge', 'fetch', 'total'] as const;

/** What one server counts, in a registry of its own, in the text format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'quarry_http_request_seconds',
    help: 'Time to answer a request, by route and status',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #stages = new Histogram({
    name: 'quarry_search_stage_seconds',
    help: 'Time that a stage of a search took',
    labelNames: ['stage'],
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #answers = new Counter({
    name: 'quarry_answers_total',
    help: 'Answers given, by whether all shards answered in full',
    labelNames: ['completeness'],
    registers: [this.#registry],
  });
  readonly #documents = new Gauge({
    name: 'quarry_index_documents',
    help: 'Pages of the index',
    registers: [this.#registry],
  });
  readonly #epoch = new Gauge({
    name: 'quarry_statistics_epoch',
    help: 'Version of the global statistics in force',
    registers: [this.#registry],
  });
  readonly #drift = new Gauge({
    name: 'quarry_statistics_drift',
    help: 'Relative change of the index since the statistics in force: documents, average length of each field, frequencies of words searched for',
    labelNames: ['of'],
    registers: [this.#registry],
  });
  readonly #contributionAge = new Gauge({
    name: 'quarry_statistics_contribution_age_seconds',
    help: 'Time since a shard was last found as the statistics count it',
    labelNames: ['shard'],
    registers: [this.#registry],
  });
  readonly #shardsSilent = new Gauge({
    name: 'quarry_statistics_shards_silent',
    help: 'Shards that the statistics count as they were last known, since they do not answer',
    registers: [this.#registry],
  });
  readonly #nodesDown = new Gauge({
    name: 'quarry_nodes_down',
    help: 'Nodes that did not answer the last time',
    registers: [this.#registry],
  });

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** `route` is the pattern, never the URL, so that the number of series is bounded. */
  observeRequest(route: string, status: number, ms: number): void {
    this.#requests.observe({ route, status }, ms / 1000);
  }

  observeAnswer(answer: Answer): Answer {
    for (const stage of STAGES) this.#stages.observe({ stage }, answer.took[stage] / 1000);
    this.#answers.inc({ completeness: answer.partial ? 'partial' : 'complete' });
    return answer;
  }

  /** The whole text; `overview` is undefined when no shard answers. */
  async text(overview: IndexOverview | undefined): Promise<string> {
    if (overview !== undefined) {
      this.#documents.set(overview.docCount);
      this.#epoch.set(overview.epoch);
      this.#nodesDown.set(overview.nodes.filter(({ error }) => error !== undefined).length);
      this.#setStatistics(overview);
    }
    return this.#registry.metrics();
  }

  #setStatistics({ drift, contributions }: IndexOverview): void {
    this.#drift.set({ of: 'documents' }, drift.documents);
    for (const [field, change] of Object.entries(drift.averageLengths)) {
      this.#drift.set({ of: `length_${field}` }, change);
    }
    if (drift.frequencies !== undefined) this.#drift.set({ of: 'frequencies' }, drift.frequencies);
    this.#contributionAge.reset();
    for (const { shard, ageMs } of contributions) this.#contributionAge.set({ shard }, ageMs / 1000);
    this.#shardsSilent.set(contributions.filter(({ isLive }) => !isLive).length);
  }
}
