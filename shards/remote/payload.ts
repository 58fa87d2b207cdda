import { Packr } from 'msgpackr';
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { failRemote } from './errors.ts';

/** Without records, so that no message depends on the ones before it. */
const packr = new Packr({ useRecords: false, variableMapSize: true });

export const pack = (value: unknown): Uint8Array => packr.pack(value);

/** Reads a payload of one kind. `peer` names the sender in errors. */
export type PayloadReader<Value> = (payload: Uint8Array, peer: string) => Value;

/** What must not be repeated in an error: it may be long, and it is a stranger's. */
const MAX_SHOWN = 100;

export const violated = (peer: string, found: string, expected: string, cause?: unknown): Error =>
  failRemote('SHARDS_PROTOCOL_VIOLATED', { peer, found: found.slice(0, MAX_SHOWN), expected }, cause);

/**
 * Makes the reader of payloads that fit a schema: whatever the bytes are, it returns a value of that form or throws
 * SHARDS_PROTOCOL_VIOLATED. msgpackr allocates no more than the bytes that are there account for. The schema is compiled
 * when the first payload comes, so that programs without remote nodes do not wait for it.
 */
export const payloadReader = <Schema extends TSchema>(
  what: string,
  schema: Schema,
): PayloadReader<Static<Schema>> => {
  let validator: Validator | undefined;
  return (payload, peer) => {
    validator ??= Compile(schema);
    let value: unknown;
    try {
      value = packr.unpack(payload);
    } catch (error) {
      throw violated(peer, 'bytes that are no MessagePack', what, error);
    }
    if (validator.Check(value)) return value as Static<Schema>;
    const [, [first]] = validator.Errors(value);
    throw violated(peer, `at ${first?.instancePath || '/'} a value that ${first?.message}`, what);
  };
};
