import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { explainUrl } from '../../crawler/index.ts';
import { recordOfLine } from '../../indexer/import/import-line.ts';
import { indexerConfig } from '../../indexer/index.ts';
import { buildDocument } from '../../indexer/jobs/build-documents.ts';
import { withoutBody } from '../../indexer/jobs/latest-records.ts';
import type { IndexDocument } from '../../shards/index.ts';

const NEWLINE = 10;

/** Where each line begins, and the file's end. */
const lineStarts = async (file: string): Promise<number[]> => {
  const starts = [0];
  let offset = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      starts.push(offset + at + 1);
    }
    offset += chunk.length;
  }
  return starts;
};

/** Documents of a file of JSON lines, each read when it is asked for, as `quarry import` makes them. */
export class CorpusDocuments implements Disposable {
  readonly #starts: readonly number[];
  readonly #descriptor: number;

  private constructor(file: string, starts: readonly number[]) {
    this.#starts = starts;
    this.#descriptor = openSync(file, 'r');
  }

  static async open(file: string): Promise<CorpusDocuments> {
    return new CorpusDocuments(file, await lineStarts(file));
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** The document of a line, 0..count - 1, as it reads at that time. */
  at(index: number, nowMs: number): IndexDocument {
    const start = this.#starts[index] ?? 0;
    const line = Buffer.allocUnsafe((this.#starts[index + 1] ?? start) - start);
    readSync(this.#descriptor, line, 0, line.length, start);
    const record = recordOfLine(line.toString('utf8'), (url) => explainUrl(url), nowMs);
    if (typeof record === 'string') throw new Error(`line ${index + 1}: ${record}`);
    return buildDocument(withoutBody(record), undefined, indexerConfig.parse());
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
