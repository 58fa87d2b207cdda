import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * LMDB trusts its file: it maps it and follows page numbers, so that a foreign or a cut one ends the process by a signal
 * instead of an error. This looks first at what LMDB starts from.
 *
 * Layout (mdb.c of lmdb-js, MDB_page_header and MDB_meta; numbers in the machine's byte order):
 *
 *   page 0, page 1   page header 24 bytes │ magic u32 │ version u32 │ address u64 │ map size u64 │
 *                    free tree 48 bytes, page size u32 first, root u64 last │ main tree 48 bytes, root u64 last │
 *                    last page u64 │ transaction u64
 */
const MAGIC = 0xbeefc0de;
const META_START = 24;
const META_BYTES = 136;
const PAGE_SIZE_AT = 24;
const FREE_ROOT_AT = 64;
const MAIN_ROOT_AT = 112;
const TRANSACTION_AT = 128;
/** Root of a tree without pages. */
const NO_PAGE = 2n ** 64n - 1n;

/**
 * What keeps LMDB from opening a file that it wrote, in words; undefined when nothing does or the file is empty, which
 * LMDB fills.
 */
export const storeFileProblem = (file: string): string | undefined => {
  const descriptor = openSync(file, 'r');
  try {
    const status = fstatSync(descriptor);
    if (status.isDirectory()) return `${file} is a folder`;
    if (status.size === 0) return undefined;
    const first = readMeta(descriptor, META_START);
    if (first === undefined) return `${file} does not begin like an LMDB file`;
    const pageBytes = first.readUInt32LE(PAGE_SIZE_AT);
    const second = readMeta(descriptor, pageBytes + META_START);
    if (second === undefined) return `${file} has no second meta page`;
    // Asked for behind the metas: a crawl that writes meanwhile makes the file longer before a meta names the new pages.
    const { size } = fstatSync(descriptor);
    const newest = transactionOf(second) > transactionOf(first) ? second : first;
    const roots = [FREE_ROOT_AT, MAIN_ROOT_AT].map((at) => newest.readBigUInt64LE(at));
    const isCut = roots.some((root) => root !== NO_PAGE && (Number(root) + 1) * pageBytes > size);
    return isCut ? `${file} is cut off after ${size} bytes` : undefined;
  } finally {
    closeSync(descriptor);
  }
};

const transactionOf = (meta: Buffer): bigint => meta.readBigUInt64LE(TRANSACTION_AT);

const readMeta = (descriptor: number, offset: number): Buffer | undefined => {
  const meta = Buffer.alloc(META_BYTES);
  const readBytes = readSync(descriptor, meta, 0, META_BYTES, offset);
  return readBytes === META_BYTES && meta.readUInt32LE(0) === MAGIC ? meta : undefined;
};
