import { type ExitStatus, QuarryError } from '../values/errors.ts';
import { failRemote } from './errors.ts';
import { pack, payloadReader } from './payload.ts';
import * as schemas from './schemas.ts';

const MAX_MESSAGE_UNITS = 1000;
const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

const asQuarryError = (error: unknown): QuarryError => {
  if (error instanceof QuarryError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return failRemote('SHARDS_NODE_FAILED', { reason }, error);
};

/** An error as a payload; what is not of a table goes as SHARDS_NODE_FAILED. */
export const writeFailure = (error: unknown): Uint8Array => {
  const { code, exit, message } = asQuarryError(error);
  return pack({ code, exit, message: message.slice(0, MAX_MESSAGE_UNITS) });
};

const read = payloadReader('a failure', schemas.failure);

/** The error that a node sent, with its name; throws SHARDS_PROTOCOL_VIOLATED. */
export const readFailure = (payload: Uint8Array, peer: string): QuarryError => {
  const { code, exit, message } = read(payload, peer);
  if (!CODE.test(code)) return failRemote('SHARDS_NODE_FAILED', { reason: `${peer}: ${message}` });
  const status: ExitStatus = exit === 2 ? 2 : 1;
  return new QuarryError(`${peer}: ${message}`, { code, exit: status });
};
