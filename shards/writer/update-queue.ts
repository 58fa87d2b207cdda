import type { IndexDocument } from '../values/document.ts';
import type { UrlKey } from '../values/ids.ts';

/** Strings of a document besides its texts, and the entry here. A guess on the safe side. */
const BYTES_PER_DOCUMENT = 500;
const BYTES_PER_CHAR = 2;

/**
 * Updates that wait a moment, so that of several of one URL only the last is analysed: a segment being built cannot give
 * back a document that it was given.
 */
export class UpdateQueue {
  readonly #documents = new Map<UrlKey, IndexDocument>();
  #bytes = 0;

  /** Memory that they take. */
  get memoryBytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#documents.size;
  }

  has(key: UrlKey): boolean {
    return this.#documents.has(key);
  }

  put(key: UrlKey, document: IndexDocument): void {
    this.remove(key);
    this.#documents.set(key, document);
    this.#bytes += bytesOf(document);
  }

  /** False when none of that key waits. */
  remove(key: UrlKey): boolean {
    const document = this.#documents.get(key);
    if (document === undefined) return false;
    this.#bytes -= bytesOf(document);
    return this.#documents.delete(key);
  }

  /** All of them, in the order of their last update; the queue is empty then. */
  takeAll(): [UrlKey, IndexDocument][] {
    const all = [...this.#documents];
    this.#documents.clear();
    this.#bytes = 0;
    return all;
  }
}

const bytesOf = ({ fields, title, storedText }: IndexDocument): number =>
  BYTES_PER_DOCUMENT +
  BYTES_PER_CHAR * fields.reduce((sum, { text }) => sum + text.length, title.length + storedText.length);
