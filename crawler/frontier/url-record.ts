import { Packr } from 'msgpackr';
import { type NormalUrl, trustNormalUrl } from '../../shards/index.ts';

/** What is known of a URL. `excluded` and `failed` and `gone` carry a reason. */
export const URL_STATUSES = [
  'unfetched',
  'fetched',
  'redirected',
  'gone',
  'notModified',
  'duplicate',
  'failed',
  'excluded',
] as const;
export type UrlStatus = (typeof URL_STATUSES)[number];

/** One row per known URL; Nutch's CrawlDatum is a view of it. Mutable while its URL is leased, by the lease's holder only. */
export interface UrlRecord {
  readonly url: NormalUrl;
  status: UrlStatus;
  /** Why it is gone, failed or excluded: a word of `fetch/failures.ts` or a status such as `http 500`; else ''. */
  reason: string;
  /** Links followed from a seed; a redirect hop adds none. */
  depth: number;
  /** Front queue, 0 (asked first) to 7. */
  level: number;
  /** The page scorer's verdict, 0 without a scorer. */
  score: number;
  /** Score of the page on which the link was found first. */
  parentScore: number;
  /** Wall clock of the last answer, 0 before the first. */
  fetchedAtMs: number;
  /** Wall clock from which it may be visited again; 0 before the first answer. */
  dueAtMs: number;
  intervalS: number;
  /** Attempts of this visit that failed. */
  retries: number;
  etag: string;
  lastModified: string;
  /** Content fingerprint of the last 200, '' before it. */
  textHash: string;
  /** Of `checks` repeated visits, `changes` found another text. */
  changes: number;
  checks: number;
  /** URL that was first seen with the same text, '' if this one is it. */
  duplicateOf: string;
  redirectTo: string;
  /** Number of the process run (counted by the store) that settled it last. */
  leaseEpoch: number;
  httpStatus: number;
  type: string;
  bytes: number;
  title: string;
  lang: string;
  /** Redirect hops that led to this URL, first asked first. */
  hops: readonly NormalUrl[];
  seed: boolean;
  /** Number of the visit round in which it was asked last. */
  round: number;
}

/** The record of a URL of which nothing else is known. */
export const newUrlRecord = (url: NormalUrl, known: Partial<UrlRecord> = {}): UrlRecord => ({
  status: 'unfetched',
  reason: '',
  depth: 0,
  level: 0,
  score: 0,
  parentScore: 0,
  fetchedAtMs: 0,
  dueAtMs: 0,
  intervalS: 0,
  retries: 0,
  etag: '',
  lastModified: '',
  textHash: '',
  changes: 0,
  checks: 0,
  duplicateOf: '',
  redirectTo: '',
  leaseEpoch: 0,
  httpStatus: 0,
  type: '',
  bytes: 0,
  title: '',
  lang: '',
  hops: [],
  seed: false,
  round: 0,
  ...known,
  url,
});

// Positional, so that a row is small and needs no shared key table. New fields are appended; a shorter row gets defaults.
const FIELDS = [
  'status',
  'reason',
  'depth',
  'level',
  'score',
  'parentScore',
  'fetchedAtMs',
  'dueAtMs',
  'intervalS',
  'retries',
  'etag',
  'lastModified',
  'textHash',
  'changes',
  'checks',
  'duplicateOf',
  'redirectTo',
  'leaseEpoch',
  'httpStatus',
  'type',
  'bytes',
  'title',
  'lang',
  'hops',
  'seed',
  'round',
] as const satisfies readonly (keyof UrlRecord)[];

const packr = new Packr({ useRecords: false });

/** The row of a record (FORMAT.md). */
export const encodeUrlRecord = (record: UrlRecord): Buffer => {
  const row: unknown[] = [record.url];
  for (const field of FIELDS) {
    row.push(field === 'status' ? URL_STATUSES.indexOf(record.status) : record[field]);
  }
  return packr.pack(row) as Buffer;
};

/** The record of a row; fields that an older writer did not know have the values of a new one. */
export const decodeUrlRecord = (bytes: Uint8Array): UrlRecord => {
  const [url, ...row] = packr.unpack(bytes) as unknown[];
  const known: Record<string, unknown> = {};
  for (const [index, field] of FIELDS.entries()) {
    if (index < row.length) known[field] = row[index];
  }
  known['status'] = URL_STATUSES[Number(row[0])] ?? 'unfetched';
  return newUrlRecord(trustNormalUrl(String(url)), known as Partial<UrlRecord>);
};
