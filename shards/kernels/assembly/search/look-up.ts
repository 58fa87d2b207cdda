import { ROWS_DOCS } from '../../search-layout.ts';
import { FOUND_CANDIDATES, FOUND_POSTINGS } from './conjunction-layout.ts';
import { candidateCount, candidateDoc, candidateDocs, carriedScore } from './candidates.ts';
import { Cursor, find, loadDocs, moveTo, rowsOf } from './list-cursor.ts';
import { firstNotBelow } from './search-in-block.ts';

/**
 * Looks the candidates up in a list, block by block: all candidates that lie in the list's present block are a run. No branch
 * depends on whether one is found, since that is what a processor cannot foresee.
 */

/** The next candidate to look up, and how many of the last run were found. */
let next: u32 = 0;
let found: u32 = 0;

export function startLookUp(): void {
  next = 0;
}

// @ts-ignore: decorator
@inline
export function foundCount(): u32 {
  return found;
}

// @ts-ignore: decorator
@inline
export function foundCandidate(base: usize, index: u32): u32 {
  return load<u32>(base + FOUND_CANDIDATES + (index << 2));
}

/** Index of the posting in the cursor's block. */
// @ts-ignore: decorator
@inline
export function foundPosting(base: usize, index: u32): u32 {
  return load<u32>(base + FOUND_POSTINGS + (index << 2));
}

/** Looks the candidates next..end-1 up in the present block. */
function findRun(base: usize, cursor: Cursor, end: u32): void {
  loadDocs(cursor);
  const rows = rowsOf(cursor) + ROWS_DOCS;
  let count: u32 = 0;
  for (let i = next; i < end; i++) {
    const doc = candidateDoc(base, i);
    const posting = find(cursor, doc);
    store<u32>(base + FOUND_POSTINGS + (count << 2), posting);
    store<u32>(base + FOUND_CANDIDATES + (count << 2), i);
    count += <u32>(load<u32>(rows + (posting << 2)) === doc);
  }
  found = count;
}

/**
 * The next run, of which `foundCount` were found; false when there is none. The block is decoded only when it can lift one of the
 * run to `least`.
 */
export function nextRun(base: usize, cursor: Cursor, least: u32): bool {
  const count = candidateCount();
  found = 0;
  if (next >= count) return false;
  const doc = candidateDoc(base, next);
  if (<i32>doc > cursor.lastDoc && !moveTo(base, cursor, doc)) {
    next = count;
    return false;
  }
  const end = next + firstNotBelow(candidateDocs(base) + (next << 2), count - next, cursor.lastDoc + 1);
  while (next < end && carriedScore(base, next) + cursor.bound < least) next++;
  if (next < end) findRun(base, cursor, end);
  next = end;
  return true;
}
