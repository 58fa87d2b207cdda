import { closeSync, openSync, readSync } from 'node:fs';

const READ_BYTES = 1 << 22;
const TAB = 9;
const NEWLINE = 10;

export interface TsvDocument {
  readonly id: string;
  /** Title, line end, text: UTF-8, valid until the next document. */
  readonly text: Uint8Array;
}

const documentOf = (line: Buffer): TsvDocument => {
  const idEnd = line.indexOf(TAB);
  const titleEnd = line.indexOf(TAB, idEnd + 1);
  if (titleEnd >= 0) line[titleEnd] = NEWLINE;
  return { id: line.toString('utf8', 0, idEnd), text: line.subarray(idEnd + 1) };
};

/** Documents of a file of id, title and text, tabs between, one a line, read without a string for any text. */
export function* readTsv(file: string): Generator<TsvDocument> {
  const descriptor = openSync(file, 'r');
  try {
    let buffer = Buffer.alloc(READ_BYTES);
    let held = 0;
    for (;;) {
      if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)]);
      const count = readSync(descriptor, buffer, held, buffer.length - held, null);
      const end = held + count;
      let start = 0;
      for (let at = buffer.indexOf(NEWLINE, held); at >= 0 && at < end; at = buffer.indexOf(NEWLINE, start)) {
        yield documentOf(buffer.subarray(start, at));
        start = at + 1;
      }
      if (count === 0) {
        if (end > start) yield documentOf(buffer.subarray(start, end));
        return;
      }
      buffer.copyWithin(0, start, end);
      held = end - start;
    }
  } finally {
    closeSync(descriptor);
  }
}
