import { segmentOrderKey } from '../../shards/index.ts';
import type { LogRecord, PageRecord } from '../archive/record.ts';
import type { Job } from '../mapreduce/job.ts';

/**
 * Of several records of one URL the last in the log holds. Bodies are left behind: nothing after this job reads them.
 *
 *   record ─► (order key of its url, record) ─► the last one, in segment order
 *
 * The redirects that led to a page count as redirect records of the same moment.
 */
export const latestRecords: Job<LogRecord, LogRecord, LogRecord> = {
  name: 'latest records',
  map: (record, emit) => {
    if (record.kind !== 'page') {
      emit(segmentOrderKey(record.url), record);
      return;
    }
    for (const hop of hopsOf(record)) emit(segmentOrderKey(hop.url), hop);
    emit(segmentOrderKey(record.url), withoutBody(record));
  },
  combine: (_key, _earlier, later) => later,
  reduce: () => {
    let last: LogRecord | undefined;
    return {
      add: (record) => {
        last = record;
      },
      end: (emit) => {
        if (last !== undefined) emit(last);
      },
    };
  },
};

const withoutBody = (page: PageRecord): PageRecord => {
  const { body: _body, ...rest } = page;
  return rest;
};

/** The status of each hop is not kept in a page record; 302 stands for "redirects, for now". */
const HOP_STATUS = 302;

const hopsOf = (page: PageRecord): LogRecord[] =>
  page.redirects
    .filter((url) => url !== page.url)
    .map((url) => ({
      kind: 'redirect',
      url,
      target: page.url,
      status: HOP_STATUS,
      fetchedAtMs: page.fetchedAtMs,
    }));
