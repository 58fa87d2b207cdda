import { parentPort } from 'node:worker_threads';
import type { ParseReply, ParseRequest } from './messages.ts';
import { ownBytes } from './messages.ts';
import { parsePage } from './page.ts';

/** A parse thread: answers each request with one reply, in order. Started by pool.ts. */
const port = parentPort;
if (port === null) throw new Error('this module is a worker; start it by createParsePool');

const answer = ({ id, input }: ParseRequest): void => {
  try {
    const page = parsePage(input);
    const body = ownBytes(page.body);
    const reply: ParseReply = { id, page: { ...page, body } };
    port.postMessage(reply, [body.buffer]);
  } catch (error) {
    const reply: ParseReply = { id, failure: error instanceof Error ? error.message : String(error) };
    port.postMessage(reply);
  }
};

port.on('message', answer);
