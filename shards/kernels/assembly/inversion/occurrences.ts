import { ENTRY_BYTES, TERM_DELTAS, TERM_ENTRIES, TERM_POSITION, TERM_RUN } from '../../inversion-layout.ts';

/** One occurrence of a term: `term` is the address of what is counted of it, TERM_… */

// @ts-ignore: decorator
@inline
export function countOccurrence(term: usize, run: u32, position: u32): void {
  if (load<u32>(term, TERM_RUN) !== run + 1) {
    store<u32>(term, run + 1, TERM_RUN);
    store<u32>(term, load<u32>(term, TERM_ENTRIES) + 1, TERM_ENTRIES);
  } else if (load<u32>(term, TERM_POSITION) === position) {
    return;
  }
  store<u32>(term, position, TERM_POSITION);
  store<u32>(term, load<u32>(term, TERM_DELTAS) + 1, TERM_DELTAS);
}

// @ts-ignore: decorator
@inline
export function placeOccurrence(term: usize, slot: u32, position: u32): void {
  const deltas = load<u32>(term, TERM_DELTAS);
  let delta = position;
  if (load<u32>(term, TERM_RUN) !== slot + 1) {
    const entry = load<u32>(term, TERM_ENTRIES);
    store<u32>(entry, slot);
    store<u32>(entry, deltas, 4);
    store<u32>(term, entry + ENTRY_BYTES, TERM_ENTRIES);
    store<u32>(term, slot + 1, TERM_RUN);
  } else {
    delta -= load<u32>(term, TERM_POSITION);
    if (delta === 0) return;
  }
  store<u32>(deltas, delta);
  store<u32>(term, deltas + 4, TERM_DELTAS);
  store<u32>(term, position, TERM_POSITION);
}
