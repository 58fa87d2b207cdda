/** Kinds of frames that are no operation (operations.ts has those, 0x10 to 0x3f). PROTOCOL.md. */
export const FrameKind = {
  /** First frame of who connects. */
  hello: 0x01,
  /** First frame of the shard server: the connection may be used. */
  welcome: 0x02,
  /** The request of this id is of no use any more; no answer is owed. */
  cancel: 0x03,
  /** The shard server is being stopped: it answers what is open and takes nothing new. */
  goodbye: 0x04,
  /** In place of an answer; with id 0 the last frame of a connection. */
  failure: 0x3f,
} as const;

/** Set in the kind of an answer, beside the kind of its request. */
export const ANSWER_BIT = 0x80;
/** Set in the kind of every frame of a message but the last one. */
export const MORE_BIT = 0x40;

/** Versions of the protocol that this Quarry speaks. */
export const PROTOCOL = { oldest: 1, newest: 1 } as const;

/** Longest payload of one frame in bytes; a longer message goes in several, so that it does not hold up the others. */
export const MAX_FRAME_BYTES = 256 * 1024;
/** A stranger may send a short hello and no more. */
export const MAX_HELLO_BYTES = 16 * 1024;
