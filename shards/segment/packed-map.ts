import { Packr } from 'msgpackr';
import type { Static, TSchema } from 'typebox';
// Not typebox/value, which does the same and would double the time in which a command starts.
import { Check } from 'typebox/schema';

const packr = new Packr({ useRecords: false });

/** A small map as msgpack. */
export const packMap = (value: object): Uint8Array => packr.pack(value);

/**
 * Unpacks a map and compares it with its schema: a right checksum says that a file is as it was written, not by whom. More
 * keys than the schema's are let through. Throws what `damage` makes of the reason.
 */
export const unpackMap = <Schema extends TSchema>(
  bytes: Uint8Array,
  schema: Schema,
  damage: (reason: string) => Error,
): Static<Schema> => {
  let value: unknown;
  try {
    // Copied, since shared memory is nothing that a decoder of text takes.
    value = packr.unpack(Uint8Array.from(bytes));
  } catch (error) {
    throw damage(`a map that is no msgpack (${String(error)})`);
  }
  if (!Check(schema, value)) throw damage('a map without the keys or values that belong there');
  return value as Static<Schema>;
};
