import { Packr } from 'msgpackr';
import { type HostKey, trustHostKey } from '../../shards/index.ts';

/** What politeness must remember of a host between two runs. Times are wall clock, milliseconds since 1970. */
export interface HostRow {
  readonly host: HostKey;
  /** Before this moment the host must not be contacted. */
  readonly notBeforeMs: number;
  /** Duration of the last fetch. */
  readonly fetchMs: number;
  /** Crawl-delay of its robots.txt for our agent, 0 without. */
  readonly crawlDelayMs: number;
  /** Consecutive failures that count against the host. */
  readonly failures: number;
  /** Answers of any status. */
  readonly answers: number;
}

const packr = new Packr({ useRecords: false });

export const encodeHostRow = (row: HostRow): Buffer =>
  packr.pack([row.host, row.notBeforeMs, row.fetchMs, row.crawlDelayMs, row.failures, row.answers]) as Buffer;

export const decodeHostRow = (bytes: Uint8Array): HostRow => {
  const [host, notBeforeMs, fetchMs, crawlDelayMs, failures, answers] = packr.unpack(bytes) as [
    string,
    ...number[],
  ];
  return {
    host: trustHostKey(host),
    notBeforeMs: notBeforeMs ?? 0,
    fetchMs: fetchMs ?? 0,
    crawlDelayMs: crawlDelayMs ?? 0,
    failures: failures ?? 0,
    answers: answers ?? 0,
  };
};
