import {
  HEADER_ADDRESS,
  HEADER_DOC_COUNT,
  HEADER_LENGTH_CODES,
  ROWS_DOCS,
  ROWS_FREQUENCIES,
  ROWS_OTHERS,
  SCORER,
  SCORER_K1,
  SCORER_OCCURRENCES,
} from '../../search-layout.ts';
import { header, wordOf } from './words.ts';

/** Fields in the order in which their occurrences are added up: 0 title, 1 headings, 2 emphasis, 3 body, 4 anchor, 5 url. */
const BODY: u32 = 3;
/** Bytes of one field's table of occurrences. */
const TABLE_BYTES: u32 = 1024;
/** Bytes of one slot of the other fields in decoded rows. */
const SLOT_BYTES: u32 = 512;
const MAX_IMPACT: f32 = 65535;

/** What one occurrence counts in a field, for the four documents at `docs`. */
// @ts-ignore: decorator
@inline
function occurrences(docs: usize, codes: usize, table: usize): v128 {
  const first = <usize>load<u8>(codes + load<u32>(docs));
  const second = <usize>load<u8>(codes + load<u32>(docs, 4));
  const third = <usize>load<u8>(codes + load<u32>(docs, 8));
  const fourth = <usize>load<u8>(codes + load<u32>(docs, 12));
  let found = v128.load32_zero(table + (first << 2));
  found = v128.load32_lane(table + (second << 2), found, 1);
  found = v128.load32_lane(table + (third << 2), found, 2);
  return v128.load32_lane(table + (fourth << 2), found, 3);
}

// @ts-ignore: decorator
@inline
function times(frequencies: usize, counts: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_u(v128.load(frequencies)), counts);
}

/**
 * I of four combined frequencies, as score/bm25f.ts rounds it. The share 1 - k1 / (x + k1) is a multiple of 2^-24, so that
 * adding one half in single precision rounds only where it does not matter: of the products with 65535 none lies so near
 * below one half that the sum becomes 1 (the test of this file tries all shares).
 */
// @ts-ignore: decorator
@inline
function saturate(combined: v128, k1: v128): v128 {
  const share = f32x4.sub(f32x4.splat(1), f32x4.div(k1, f32x4.add(combined, k1)));
  return i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.mul(share, f32x4.splat(MAX_IMPACT)), f32x4.splat(0.5)));
}

/** With this weight a term adds its impact. */
const IMPACT_WEIGHT: u32 = 128;

/**
 * Parts of the score, (weight x I) >>> 7, of postings first..first+count-1 of decoded rows as u32 at `scores` + 4 x first, four at a
 * time: `first` is a multiple of 4, and up to three more are written, of documents that must be readable. `others`: the rows of the
 * other fields are filled and weigh. All steps are IEEE single precision in the order of score/bm25f.ts. Twin: contribution of
 * Scorer.impact.
 */
export function scoresOf(base: usize, rows: usize, first: u32, count: u32, others: bool, weight: u32, scores: usize): void {
  const scorer = base + SCORER;
  const tables = scorer + SCORER_OCCURRENCES;
  const k1 = v128.load32_splat(scorer + SCORER_K1);
  const weights = i32x4.splat(weight);
  const docCount = <usize>wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT);
  const codes = header(HEADER_LENGTH_CODES);
  const end = (first + count) << 2;
  for (let at = first << 2; at < end; at += 16) {
    const docs = rows + ROWS_DOCS + at;
    const body = times(
      rows + ROWS_FREQUENCIES + at,
      occurrences(docs, codes + BODY * docCount, tables + BODY * TABLE_BYTES),
    );
    const combined = others && hasOthers(rows + ROWS_OTHERS + at) ? addOthers(rows + ROWS_OTHERS + at, docs, codes, docCount, tables, body) : body;
    v128.store(scores + at, i32x4.shr_u(i32x4.mul(saturate(combined, k1), weights), 7));
  }
}

/** As scoresOf: the impacts themselves. Twin: Scorer.impact. */
export function impactsOf(base: usize, rows: usize, first: u32, count: u32, others: bool, impacts: usize): void {
  scoresOf(base, rows, first, count, others, IMPACT_WEIGHT, impacts);
}

/** Whether any of the four documents has a field besides the body. */
// @ts-ignore: decorator
@inline
function hasOthers(slots: usize): bool {
  const first = v128.or(v128.load(slots), v128.load(slots + SLOT_BYTES));
  const second = v128.or(v128.load(slots + 2 * SLOT_BYTES), v128.load(slots + 3 * SLOT_BYTES));
  return v128.any_true(v128.or(v128.or(first, second), v128.load(slots + 4 * SLOT_BYTES)));
}

/** Adds the fields before the body, the body, and the fields behind it, those that any of the four documents has. */
function addOthers(slots: usize, docs: usize, codes: usize, docCount: usize, tables: usize, body: v128): v128 {
  let combined = f32x4.splat(0);
  for (let field: u32 = 0; field < BODY; field++) {
    const frequencies = slots + field * SLOT_BYTES;
    if (!v128.any_true(v128.load(frequencies))) continue;
    const counts = occurrences(docs, codes + field * docCount, tables + field * TABLE_BYTES);
    combined = f32x4.add(combined, times(frequencies, counts));
  }
  combined = f32x4.add(combined, body);
  for (let field = BODY + 1; field <= 5; field++) {
    const frequencies = slots + (field - 1) * SLOT_BYTES;
    if (!v128.any_true(v128.load(frequencies))) continue;
    const counts = occurrences(docs, codes + field * docCount, tables + field * TABLE_BYTES);
    combined = f32x4.add(combined, times(frequencies, counts));
  }
  return combined;
}
