import { HEADER_LAST_DOCS, ROWS_DOCS } from '../../search-layout.ts';
import { boundStep, groupSteps, headOf } from './block-heads.ts';
import { windowStart } from './list-range.ts';
import { boundOf, openSlot, scoreGroups } from './posting-lists.ts';
import { firstNotBelow } from './search-in-block.ts';
import { header, wordOf } from './words.ts';
import {
  LIST_DOC_COUNT,
  LIST_FIRST_RECORD,
  LIST_FLAT_DOCS,
  LIST_FLAT_SCORES,
  LIST_RECORDS,
  LIST_WEIGHT,
  SLOT_COUNT_AT,
  SLOT_SCORES,
} from './work-layout.ts';

/** Where the search in the list stands: record, or posting of a flat list; and place in the decoded block. */
let record: u32 = 0;
let place: u32 = 0;
let openRecord: u32 = 0;

/** Begins with the first candidate of a window: candidates come in rising order of documents. */
export function startProbes(base: usize, list: usize, window: u32): void {
  record = windowStart(base, list, window);
  place = 0;
  openRecord = <u32>-1;
}

/**
 * What the list adds to `doc`: 0 when it does not hold it, or when its bounds tell that it adds less than `need`, without
 * which the document cannot enter.
 */
export function probe(base: usize, list: usize, doc: u32, need: u32): u32 {
  if (wordOf(list, LIST_RECORDS) === 0) return probeFlat(list, doc);
  const firstRecord = wordOf(list, LIST_FIRST_RECORD);
  const records = wordOf(list, LIST_RECORDS);
  const lastDocs = header(HEADER_LAST_DOCS);
  while (record < records && wordOf(lastDocs, firstRecord + record) < doc) record++;
  if (record === records) return 0;
  const weight = wordOf(list, LIST_WEIGHT);
  if (boundOf(base, weight, boundStep(headOf(firstRecord + record))) < need) return 0;
  const slot = openSlot(base, list, record);
  if (record !== openRecord) {
    openRecord = record;
    place = 0;
  }
  const count = load<u32>(slot, SLOT_COUNT_AT);
  // A damaged list may say that a block ends later than it does.
  place += firstNotBelow(slot + ROWS_DOCS + (place << 2), count - place, doc);
  if (place >= count || load<u32>(slot + ROWS_DOCS + (place << 2)) !== doc) return 0;
  const group = place >>> 4;
  if (boundOf(base, weight, load<u8>(groupSteps(headOf(firstRecord + record)) + group)) < need) return 0;
  scoreGroups(base, list, record, slot, 1 << group);
  return load<u32>(slot + SLOT_SCORES + (place << 2));
}

function probeFlat(list: usize, doc: u32): u32 {
  const docs = <usize>wordOf(list, LIST_FLAT_DOCS);
  const count = wordOf(list, LIST_DOC_COUNT);
  record += firstNotBelow(docs + (<usize>record << 2), count - record, doc);
  if (record >= count || load<u32>(docs + (<usize>record << 2)) !== doc) return 0;
  return load<u32>(<usize>wordOf(list, LIST_FLAT_SCORES) + (<usize>record << 2));
}
