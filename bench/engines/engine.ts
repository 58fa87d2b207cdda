import type { ProgramUsage } from '../program.ts';

/** Documents in the two forms that engines read. */
export interface Corpus {
  readonly name: string;
  /** Objects {url or id, title, text}, one a line. */
  readonly jsonlFile: string;
  /** The same: id, title, text, tabs between, one a line. */
  readonly tsvFile: string;
}

/** What an engine made of a corpus. */
export interface BuiltIndex extends ProgramUsage {
  readonly documents: number;
  /** Bytes by part; the names are the engine's own. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** How an engine joins the words of a query. */
export const JOINS = ['or', 'and', 'phrase'] as const;
export type Join = (typeof JOINS)[number];

export interface QueryTask {
  /** One query a line. */
  readonly queriesFile: string;
  readonly mode: Join;
  readonly k: number;
  /** How often all queries are asked; of each query the best round counts. */
  readonly rounds: number;
  /** Where to write query, id, rank, score. */
  readonly topsFile?: string;
}

/** Microseconds a query, inside the engine: per query the best of the rounds, then over the queries. */
export interface QueryFigures {
  readonly queries: number;
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** A search engine that runs in processes of its own, one per call. */
export interface Engine {
  readonly name: string;
  /** Makes one shard of one segment, durable, in a folder that is not there yet. */
  index(corpus: Corpus, folder: string): Promise<BuiltIndex>;
  /** Asks on one thread, pinned to a core. */
  query(folder: string, task: QueryTask): Promise<QueryFigures>;
}
