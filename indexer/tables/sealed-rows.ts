import { type FileHandle, open } from 'node:fs/promises';
import { crc32c } from '@node-rs/crc32';
import {
  ByteWriter,
  encodeFooter,
  encodeHeader,
  type FileFormat,
  HEADER_BYTES,
  verifySealedFile,
  writeFileAtomically,
} from '../../shards/index.ts';
import { packValue, unpackValue } from '../mapreduce/value-codec.ts';

const LENGTH_BYTES = 4;
const BLOCK_BYTES = 256 * 1024;

/** Writes rows of plain data as one sealed file (FORMAT.md), however many there are. Throws SHARDS_DISK_FULL. */
export const writeRows = async <Row>(
  file: string,
  format: FileFormat,
  rows: AsyncIterable<Row>,
): Promise<void> => {
  await writeFileAtomically(file, sealRows(format, rows));
};

async function* sealRows<Row>(format: FileFormat, rows: AsyncIterable<Row>): AsyncGenerator<Uint8Array> {
  let crc = 0;
  let lengthBytes = 0;
  const sealed = (part: Uint8Array): Uint8Array => {
    crc = crc32c(part, crc);
    lengthBytes += part.length;
    return part;
  };
  yield sealed(encodeHeader(format));
  const buffer = new ByteWriter(BLOCK_BYTES);
  for await (const row of rows) {
    const value = packValue(row);
    buffer.u32(value.length);
    buffer.bytes(value);
    if (buffer.length < BLOCK_BYTES) continue;
    yield sealed(buffer.view());
    buffer.clear();
  }
  yield sealed(buffer.view());
  yield encodeFooter(lengthBytes, crc);
}

/** The rows of a file that writeRows wrote. The whole file is verified before the first one comes. */
export async function* readRows<Row>(file: string, format: FileFormat): AsyncGenerator<Row> {
  const { bodyBytes } = await verifySealedFile(file, format);
  const handle = await open(file, 'r');
  try {
    yield* rowsIn<Row>(handle, HEADER_BYTES + bodyBytes);
  } finally {
    await handle.close();
  }
}

async function* rowsIn<Row>(handle: FileHandle, endBytes: number): AsyncGenerator<Row> {
  let rest = Buffer.alloc(0);
  for (let position = HEADER_BYTES; position < endBytes; ) {
    // New memory for each block: bytes inside the rows that were handed out are views of the old one.
    const missing = rest.length < LENGTH_BYTES ? 0 : LENGTH_BYTES + rest.readUInt32LE(0) - rest.length;
    const block = Buffer.allocUnsafe(Math.min(endBytes - position, Math.max(BLOCK_BYTES, missing)));
    const { bytesRead } = await handle.read(block, 0, block.length, position);
    position += bytesRead;
    rest = Buffer.concat([rest, block.subarray(0, bytesRead)]);
    while (rest.length >= LENGTH_BYTES && rest.length >= LENGTH_BYTES + rest.readUInt32LE(0)) {
      const end = LENGTH_BYTES + rest.readUInt32LE(0);
      yield unpackValue<Row>(rest.subarray(LENGTH_BYTES, end));
      rest = rest.subarray(end);
    }
  }
}
