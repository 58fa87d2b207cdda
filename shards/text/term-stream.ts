/** The tokens of one text, parallel. Views that the next call overwrites, as the caller may too. */
export interface TermRun {
  /** Numbers of the tokens' terms, in the text's order. */
  readonly termIds: Uint32Array;
  /** Word positions from 0, never falling; several tokens may share one. */
  readonly positions: Uint32Array;
  /** Distinct positions: what the text adds to its field's length. */
  readonly lengthTokens: number;
  /** One more than the last position; 0 without tokens. */
  readonly endPosition: number;
}

/**
 * Cuts texts into numbered terms, for indexing: no object per token and no string for a word that was seen before. Gives
 * the same terms and positions as the analyser's `analyse`.
 */
export interface TermStream {
  /** `text` may be UTF-8 bytes. `lang` as for Analyser.analyse. */
  cut(text: string | Uint8Array, lang: string): TermRun;
  /** Terms are numbered from 0 in the order in which they first came. */
  readonly termCount: number;
  /** UTF-8 bytes of a term. A view that the next call may overwrite. */
  termBytes(termId: number): Uint8Array;
  /** Memory held, with the vocabulary. */
  readonly memoryBytes: number;
}

/** A stream with a vocabulary of its own, which can be used again. */
export interface OwnTermStream extends TermStream {
  /** Of the memory held what the vocabulary takes. */
  readonly vocabularyBytes: number;
  /** Forgets all terms, so that numbers begin at 0 again. */
  reset(): void;
}
