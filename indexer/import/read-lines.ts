import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A longer line is no document. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const LINE_FEED = 10;

/** One line of a file, without its end, or why it cannot be read. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string | undefined;
  /** '' or what is wrong. */
  readonly problem: string;
}

/** The lines of a file, which is unzipped when its name ends in `.gz`; memory: one line. Throws what the disk or gzip say. */
export const readLines = async function* (file: string): AsyncGenerator<TextLine> {
  let number = 0;
  for await (const bytes of splitLines(bytesOf(file))) {
    number += 1;
    yield bytes === undefined
      ? { number, text: undefined, problem: `longer than ${MAX_LINE_BYTES} bytes` }
      : decodeLine(bytes, number);
  }
};

const bytesOf = (file: string): Readable => {
  const source = createReadStream(file);
  if (!file.endsWith('.gz')) return source;
  const unzipped = createGunzip();
  source.on('error', (error) => unzipped.destroy(error));
  // Whoever stops reading destroys `unzipped`; the file must not stay open then.
  unzipped.on('close', () => source.destroy());
  return source.pipe(unzipped);
};

/** undefined, and then the end, when a line is too long. */
async function* splitLines(source: Readable): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let partBytes = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      partBytes = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    partBytes += chunk.length - start;
    if (partBytes > MAX_LINE_BYTES) {
      yield undefined;
      return;
    }
  }
  if (partBytes > 0) yield Buffer.concat(parts);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

const decodeLine = (bytes: Buffer, number: number): TextLine => {
  try {
    return { number, text: decoder.decode(bytes), problem: '' };
  } catch {
    return { number, text: undefined, problem: 'not UTF-8' };
  }
};
