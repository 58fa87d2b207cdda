import type { OwnTermStream, TermRun } from './term-stream.ts';
import { TermTable } from './term-table.ts';
import type { Analyser } from './token.ts';

const decoder = new TextDecoder();

/** A stream of any analyser, by its `analyse`: an object per token. */
export class AnalysedTermStream implements OwnTermStream {
  readonly #analyser: Analyser;
  readonly #terms: TermTable;

  constructor(analyser: Analyser, seed: number) {
    this.#analyser = analyser;
    this.#terms = new TermTable(seed);
  }

  get termCount(): number {
    return this.#terms.count;
  }

  get memoryBytes(): number {
    return this.#terms.memoryBytes;
  }

  cut(text: string | Uint8Array, lang: string): TermRun {
    const tokens = this.#analyser.analyse(typeof text === 'string' ? text : decoder.decode(text), lang);
    const termIds = Uint32Array.from(tokens, ({ term }) => this.#terms.idOf(term));
    const positions = Uint32Array.from(tokens, ({ position }) => position);
    const lengthTokens = positions.reduce(
      (count, position, i) => count + (position === positions[i - 1] ? 0 : 1),
      0,
    );
    return { termIds, positions, lengthTokens, endPosition: (positions.at(-1) ?? -1) + 1 };
  }

  get vocabularyBytes(): number {
    return this.#terms.memoryBytes;
  }

  termBytes(termId: number): Uint8Array {
    return this.#terms.bytesOf(termId);
  }

  reset(): void {
    this.#terms.clear();
  }
}
