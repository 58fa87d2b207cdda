import {
  IMPACT_STEPS,
  OCCURRENCES,
  ROW_DOCS,
  ROW_FREQUENCIES,
  ROW_OTHERS,
  STATE_BEST_IMPACTS,
  STATE_BLOCK_BOUNDS,
  STATE_DOC_COUNT,
  STATE_GROUP_BOUNDS,
  STATE_K1,
  STATE_LENGTH_CODES,
} from '../../inversion-layout.ts';
import { state } from './words.ts';

const BODY: u32 = 3;
const COLUMN_BYTES: u32 = 512;
const TABLE_BYTES: u32 = 1024;
const GROUP_LENGTH: u32 = 16;
const GROUPS_PER_BLOCK: u32 = 8;
const IMPACTS_PER_STEP: u32 = 257;
const STEPS: u32 = 256;
const RANK_BASE: u32 = 10;

// @ts-ignore: decorator
@inline
function occurrence(field: u32, doc: u32): f32 {
  const code = load<u8>(state(STATE_LENGTH_CODES) + field * state(STATE_DOC_COUNT) + doc);
  return load<f32>(OCCURRENCES + field * TABLE_BYTES + (<u32>code << 2));
}

/** I of one row. Twin: Scorer.impact in score/bm25f.ts. */
function impactOf(index: u32, hasOthers: bool): u32 {
  const at = index << 2;
  const doc = load<u32>(ROW_DOCS + at);
  const frequency = load<u32>(ROW_FREQUENCIES + at);
  let combined: f32 = 0;
  if (hasOthers) {
    for (let field: u32 = 0; field < BODY; field++) combined += otherPart(field, field, at, doc);
  }
  if (frequency !== 0) combined += <f32>frequency * occurrence(BODY, doc);
  if (hasOthers) {
    for (let slot: u32 = BODY; slot < 5; slot++) combined += otherPart(slot, slot + 1, at, doc);
  }
  const k1 = load<f32>(STATE_K1);
  const share: f32 = <f32>1 - k1 / (combined + k1);
  return <u32>Math.floor(<f64>(share * <f32>65535) + 0.5);
}

// @ts-ignore: decorator
@inline
function otherPart(slot: u32, field: u32, at: u32, doc: u32): f32 {
  const frequency = load<u32>(ROW_OTHERS + slot * COLUMN_BYTES + at);
  return frequency === 0 ? 0 : <f32>frequency * occurrence(field, doc);
}

function quantise(impact: u32): u32 {
  return (impact + IMPACTS_PER_STEP - 1) / IMPACTS_PER_STEP;
}

/** Keeps the bounds of the first `count` rows as those of block record `record`. Twin: BoundsCollector.addBlock. */
export function boundBlock(record: u32, count: u32, hasOthers: bool): void {
  let blockMax: u32 = 0;
  for (let group: u32 = 0; group < GROUPS_PER_BLOCK; group++) {
    const end = min(count, (group + 1) * GROUP_LENGTH);
    let groupMax: u32 = 0;
    for (let index = group * GROUP_LENGTH; index < end; index++) {
      const impact = impactOf(index, hasOthers);
      groupMax = max(groupMax, impact);
      const step = IMPACT_STEPS + ((impact / IMPACTS_PER_STEP) << 2);
      store<u32>(step, load<u32>(step) + 1);
    }
    store<u8>(state(STATE_GROUP_BOUNDS) + record * GROUPS_PER_BLOCK + group, quantise(groupMax));
    blockMax = max(blockMax, groupMax);
  }
  store<u8>(state(STATE_BLOCK_BOUNDS) + record, quantise(blockMax));
}

/** Keeps the best impacts of the list whose blocks were bounded. Twin: BoundsCollector.endTerm. */
export function boundTerm(firstRecord: u32, recordCount: u32): void {
  const best = state(STATE_BEST_IMPACTS) + firstRecord;
  memory.fill(best, 0, recordCount);
  let rank: u64 = RANK_BASE;
  let seen: u64 = 0;
  let record: u32 = 0;
  for (let step = STEPS - 1; step > 0 && record < recordCount; step--) {
    seen += load<u32>(IMPACT_STEPS + (step << 2));
    for (; seen >= rank && record < recordCount; rank *= RANK_BASE) {
      store<u8>(best + record, step);
      record++;
    }
  }
  memory.fill(IMPACT_STEPS, 0, STEPS << 2);
}
