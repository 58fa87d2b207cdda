import { segmentOrderKey } from '../../shards/index.ts';
import type { GoneRecord, LogLocation, LogRecord, PageRecord, RedirectRecord } from '../archive/record.ts';
import type { Job } from '../mapreduce/job.ts';

/** A page without its body, which nothing behind this job reads. */
export type LatestPage = Omit<PageRecord, 'body'> & {
  /** Length of the body, or of the fields' texts in UTF-8 when no body was kept. */
  readonly bytes: number;
  /** Where the record stands in the log. */
  readonly location?: LogLocation;
};

/** A record of the log with its place in it, where that is known. */
export type LocatedRecord = LogRecord & { readonly location?: LogLocation };

/** The record that holds for a URL. */
export type LatestRecord = LatestPage | RedirectRecord | GoneRecord;

/**
 * Of several records of one URL the last in the log holds.
 *
 *   record ─► (order key of its url, record) ─► the last one, in segment order
 *
 * The redirects that led to a page count as redirect records of the same moment.
 */
export const latestRecords: Job<LocatedRecord, LatestRecord, LatestRecord> = {
  name: 'latest records',
  map: (record, emit) => {
    if (record.kind !== 'page') {
      emit(segmentOrderKey(record.url), record);
      return;
    }
    for (const hop of hopsOf(record)) emit(segmentOrderKey(hop.url), hop);
    emit(segmentOrderKey(record.url), withoutBody(record));
  },
  combine: (_key, earlier, later) => lastOf(earlier, later),
  reduce: () => {
    let last: LatestRecord | undefined;
    return {
      add: (record) => {
        last = last === undefined ? record : lastOf(last, record);
      },
      end: (emit) => {
        if (last !== undefined) emit(isImplied(last) ? { ...last, status: HOP_STATUS } : last);
      },
    };
  },
};

/** What later jobs read of a page. */
export const withoutBody = ({
  body,
  ...page
}: PageRecord & { readonly location?: LogLocation }): LatestPage => ({
  ...page,
  bytes: body?.length ?? page.fields.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
});

/** The status of each hop is not kept in a page record: an earlier record may have it. */
const UNKNOWN_STATUS = 0;
/** When none has, 302 stands for "redirects, for now". */
const HOP_STATUS = 302;

const isImplied = (record: LatestRecord): record is RedirectRecord =>
  record.kind === 'redirect' && record.status === UNKNOWN_STATUS;

const lastOf = (earlier: LatestRecord, later: LatestRecord): LatestRecord =>
  isImplied(later) && earlier.kind === 'redirect' ? { ...later, status: earlier.status } : later;

const hopsOf = (page: PageRecord): RedirectRecord[] =>
  page.redirects
    .filter((url) => url !== page.url)
    .map((url) => ({
      kind: 'redirect',
      url,
      target: page.url,
      status: UNKNOWN_STATUS,
      fetchedAtMs: page.fetchedAtMs,
    }));
