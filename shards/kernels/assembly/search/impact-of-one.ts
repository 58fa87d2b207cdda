import {
  HEADER_ADDRESS,
  HEADER_DOC_COUNT,
  HEADER_LENGTH_CODES,
  SCORER,
  SCORER_K1,
  SCORER_OCCURRENCES,
} from '../../search-layout.ts';
import { FIELD_COUNT } from './phrase-places.ts';
import { header, wordOf } from './words.ts';

const MAX_IMPACT: f32 = 65535;
const LENGTH_CODES: u32 = 256;

/**
 * I of one document with the given frequencies (u32 x 6, by field): the same steps in single precision as `impactsOf`, which
 * does four documents at once. Twin: Scorer.impact.
 */
export function impactOfOne(base: usize, doc: u32, frequencies: usize): u32 {
  const docCount = wordOf(HEADER_ADDRESS, HEADER_DOC_COUNT);
  const codes = header(HEADER_LENGTH_CODES) + doc;
  let combined: f32 = 0;
  for (let field: u32 = 0; field < FIELD_COUNT; field++) {
    const frequency = wordOf(frequencies, field);
    if (frequency === 0) continue;
    const code = <u32>load<u8>(codes + field * docCount);
    const counts = load<f32>(base + SCORER + SCORER_OCCURRENCES + ((field * LENGTH_CODES + code) << 2));
    combined += <f32>frequency * counts;
  }
  const k1 = load<f32>(base + SCORER + SCORER_K1);
  const share: f32 = 1 - k1 / (combined + k1);
  return <u32>(share * MAX_IMPACT + <f32>0.5);
}
