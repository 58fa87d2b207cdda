import { kernelModule } from '../kernels/kernels.ts';
import {
  ALLOWED,
  HITS,
  KEYS,
  KEYS_BYTES,
  MAX_HITS,
  MAX_TERMS,
  PAGE_BYTES,
  QUERY,
  QUERY_ALLOWED,
  QUERY_ALLOWED_COUNT,
  QUERY_COUNT,
  QUERY_HIT_COUNT,
  QUERY_HOPELESS,
  QUERY_K,
  QUERY_LATE,
  QUERY_TERM_COUNT,
  QUERY_THRESHOLD,
  SCORER,
  SCORER_BEST_IMPACTS,
  SCORER_BOUND_IMPACTS,
  SCORER_K1,
  SCORER_OCCURRENCES,
  SCORER_OTHERS_WEIGH,
  SCORER_SCORES_PHRASES,
  TERM_BYTES,
  TERM_GROUP,
  TERM_KEY,
  TERM_KEY_LENGTH,
  TERM_OFFSET,
  TERM_PHRASE,
  TERM_ROLE,
  TERM_WEIGHT,
  TERMS,
} from '../kernels/search-layout.ts';
import type { Scorer, ScorerTables } from '../score/scorer.ts';
import type { KernelMemory, Segment } from '../segment/segment.ts';
import type { DocSet } from './doc-set.ts';
import type { KernelGroup, KernelWord } from './kernel-words.ts';

/** What a kernel is asked about one segment. */
export interface KernelQuery {
  readonly scorer: Scorer;
  readonly k: number;
  /** Scores below it are of no use. */
  readonly threshold: number;
  /** How many matches are worth counting. */
  readonly countWanted: number;
  /** undefined: every document. */
  readonly allowed: DocSet | undefined;
  readonly isLate: () => boolean;
}

/** Called with each hit, worst first: so a heap with the worst on top takes each at its end. */
export type HitVisitor = (doc: number, score: number) => void;

/** What a kernel answers besides the hits. */
export interface KernelAnswer {
  /** Matches counted, at most countWanted. */
  readonly counted: number;
  /** Whether the time was up before all was looked at. */
  readonly isLate: boolean;
  /** Whether the threshold was out of reach, so that nothing was ranked. */
  readonly isHopeless: boolean;
}

interface SearchExports {
  /** 0 when it answered, 1 when it does not know that kind of query. */
  anyOf(base: number): number;
  allOf(base: number): number;
  filterOnly(base: number): number;
}

const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const encoder = new TextEncoder();

/** The kernels over one segment in one thread: an instance, and its scratch in the segment's memory. */
export class SegmentKernels {
  readonly #source: KernelMemory;
  readonly #exports: SearchExports;
  /** Address of the scratch. */
  readonly #base: number;
  readonly #words: Uint32Array;
  readonly #floats: Float32Array;
  readonly #bytes: Uint8Array;
  #scorer: Scorer | undefined;
  #allowed: DocSet | undefined;
  #isLate: () => boolean = () => false;

  constructor(source: KernelMemory, docCount: number) {
    this.#source = source;
    const { memory } = source;
    const lengthBytes = ALLOWED + (Math.ceil(docCount / 128) + 1) * 16;
    // The memory is shared: whoever grows it owns what was added.
    this.#base = memory.grow(Math.ceil(lengthBytes / PAGE_BYTES)) * PAGE_BYTES;
    const { buffer } = memory;
    this.#words = new Uint32Array(buffer, this.#base, lengthBytes / WORD_BYTES);
    this.#floats = new Float32Array(buffer, this.#base, lengthBytes / WORD_BYTES);
    this.#bytes = new Uint8Array(buffer, this.#base, lengthBytes);
    const env = { memory, isLate: () => (this.#isLate() ? 1 : 0) };
    this.#exports = new WebAssembly.Instance(kernelModule('search'), { env })
      .exports as unknown as SearchExports;
  }

  /** "Any of the words". undefined when the kernel does not know that kind of query; then nothing was visited. */
  anyOf(groups: readonly KernelGroup[], query: KernelQuery, visit: HitVisitor): KernelAnswer | undefined {
    return this.#writeTerms(groups) ? this.#ask('anyOf', query, visit) : undefined;
  }

  /** "All of the words", which must not be without a required one. undefined as above. */
  allOf(words: readonly KernelWord[], query: KernelQuery, visit: HitVisitor): KernelAnswer | undefined {
    if (!this.#writeTerms(words.map(({ group }) => group))) return undefined;
    this.#writeRoles(words);
    return this.#ask('allOf', query, visit);
  }

  /** A filter alone, which `query.allowed` must give. undefined as above. */
  filterOnly(query: KernelQuery, visit: HitVisitor): KernelAnswer | undefined {
    return this.#ask('filterOnly', query, visit);
  }

  #ask(kernel: keyof SearchExports, query: KernelQuery, visit: HitVisitor): KernelAnswer | undefined {
    const { tables } = query.scorer;
    if (tables === undefined || query.k > MAX_HITS) return undefined;
    this.#useScorer(query.scorer, tables);
    this.#writeQuery(query);
    if (this.#call(kernel, query.isLate) !== 0) return undefined;
    this.#visitHits(visit);
    return {
      counted: this.#queryWord(QUERY_COUNT),
      isLate: this.#queryWord(QUERY_LATE) === 1,
      isHopeless: this.#queryWord(QUERY_HOPELESS) === 1,
    };
  }

  #call(kernel: keyof SearchExports, isLate: () => boolean): number {
    this.#isLate = isLate;
    try {
      return this.#exports[kernel](this.#base);
    } catch (error) {
      throw error instanceof WebAssembly.RuntimeError ? this.#source.damage(error) : error;
    }
  }

  #visitHits(visit: HitVisitor): void {
    const words = this.#words;
    const first = HITS / WORD_BYTES;
    for (let at = first + (this.#queryWord(QUERY_HIT_COUNT) - 1) * 2; at >= first; at -= 2) {
      visit(words[at + 1] ?? 0, words[at] ?? 0);
    }
  }

  #queryWord(index: number): number {
    return this.#words[QUERY / WORD_BYTES + index] ?? 0;
  }

  #writeQuery({ k, threshold, countWanted, allowed }: KernelQuery): void {
    const words = this.#words;
    const at = QUERY / WORD_BYTES;
    words[at + QUERY_K] = Number.isFinite(threshold) ? k : 0;
    words[at + QUERY_THRESHOLD] = Number.isFinite(threshold) ? threshold : 0;
    words[at + QUERY_COUNT] = countWanted;
    words[at + QUERY_ALLOWED] = allowed === undefined ? 0 : this.#base + ALLOWED;
    words[at + QUERY_ALLOWED_COUNT] = allowed?.size ?? 0;
    if (allowed === undefined || allowed === this.#allowed) return;
    words.set(allowed.words, ALLOWED / WORD_BYTES);
    this.#allowed = allowed;
  }

  /** False when the table has too little room. */
  #writeTerms(groups: readonly KernelGroup[]): boolean {
    let count = 0;
    let key = 0;
    for (let group = 0; group < groups.length; group++) {
      const { terms, weight } = groups[group] as KernelGroup;
      for (let index = 0; index < terms.length; index++) {
        const term = terms[index] as string | Uint8Array;
        if (terms.indexOf(term) < index) continue;
        if (count === MAX_TERMS || key + term.length * 3 > KEYS_BYTES) return false;
        const at = (TERMS + count * TERM_BYTES) / WORD_BYTES;
        const length = this.#writeKey(term, KEYS + key);
        this.#words[at + TERM_WEIGHT] = weight;
        this.#words[at + TERM_KEY] = this.#base + KEYS + key;
        this.#words[at + TERM_KEY_LENGTH] = length;
        this.#words[at + TERM_GROUP] = group;
        key += length;
        count++;
      }
    }
    this.#words[QUERY / WORD_BYTES + QUERY_TERM_COUNT] = count;
    return true;
  }

  /** What `allOf` must know of the terms that were just written. */
  #writeRoles(words: readonly KernelWord[]): void {
    const terms = this.#words;
    const end = this.#queryWord(QUERY_TERM_COUNT);
    for (let term = 0; term < end; term++) {
      const at = (TERMS + term * TERM_BYTES) / WORD_BYTES;
      const word = words[terms[at + TERM_GROUP] ?? 0];
      if (word === undefined) continue;
      terms[at + TERM_ROLE] = word.role;
      terms[at + TERM_PHRASE] = word.phrase;
      terms[at + TERM_OFFSET] = word.offset;
    }
  }

  /** Writes the UTF-8 bytes of a term and returns how many they are. */
  #writeKey(term: string | Uint8Array, at: number): number {
    const bytes = this.#bytes;
    if (typeof term !== 'string') {
      bytes.set(term, at);
      return term.length;
    }
    for (let index = 0; index < term.length; index++) {
      const unit = term.charCodeAt(index);
      if (unit > 0x7f) {
        const encoded = encoder.encode(term);
        bytes.set(encoded, at);
        return encoded.length;
      }
      bytes[at + index] = unit;
    }
    return term.length;
  }

  #useScorer(scorer: Scorer, tables: ScorerTables): void {
    if (this.#scorer === scorer) return;
    const words = this.#words;
    const { upper, lower } = this.#source.boundsUnder(scorer);
    this.#floats.set(tables.occurrences, (SCORER + SCORER_OCCURRENCES) / WORD_BYTES);
    words.set(upper, (SCORER + SCORER_BOUND_IMPACTS) / WORD_BYTES);
    words.set(lower, (SCORER + SCORER_BEST_IMPACTS) / WORD_BYTES);
    this.#floats[(SCORER + SCORER_K1) / WORD_BYTES] = tables.k1;
    words[(SCORER + SCORER_OTHERS_WEIGH) / WORD_BYTES] = tables.othersWeigh ? 1 : 0;
    words[(SCORER + SCORER_SCORES_PHRASES) / WORD_BYTES] = scorer.scoresPhrases ? 1 : 0;
    this.#scorer = scorer;
  }
}

/** By memory: a segment that is opened again with other deletes keeps the scratch, which its memory cannot give back. */
const known = new WeakMap<WebAssembly.Memory, SegmentKernels>();

/** The kernels of a segment, made at its first query in this thread; undefined when it is not in a kernel's memory. */
export const segmentKernels = ({ kernelMemory, docCount }: Segment): SegmentKernels | undefined => {
  if (kernelMemory === undefined) return undefined;
  const found = known.get(kernelMemory.memory);
  if (found !== undefined) return found;
  const made = new SegmentKernels(kernelMemory, docCount);
  known.set(kernelMemory.memory, made);
  return made;
};
