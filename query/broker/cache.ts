import type { Answer } from './answer.ts';

/**
 * Complete answers by query, epoch and generation, least recently used out first. A new epoch or generation makes new
 * keys, so that a stale answer is never found; partial answers are refused.
 */
export class AnswerCache {
  readonly #answers = new Map<string, Answer>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#answers.size;
  }

  get(key: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  put(key: string, answer: Answer): void {
    if (answer.partial || this.#capacity === 0) return;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#capacity) return;
      this.#answers.delete(oldest);
    }
  }
}
