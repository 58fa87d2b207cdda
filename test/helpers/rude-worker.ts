import { parentPort } from 'node:worker_threads';
import type { ParseReply, ParseRequest } from '../../crawler/parse/messages.ts';
import { parsePage } from '../../crawler/parse/page.ts';

/** A parse worker that does what the page's text tells it: `crash`, `hang`, `throw`, `exhaust`; else it parses. */
const port = parentPort;
port?.on('message', ({ id, input }: ParseRequest) => {
  const command = Buffer.from(input.body).toString();
  if (command === 'crash') process.exit(3);
  if (command === 'throw') setImmediate(() => undeclared());
  else if (command === 'exhaust') exhaust();
  else if (command !== 'hang') {
    const reply: ParseReply =
      command === 'fail' ? { id, failure: 'told to' } : { id, page: parsePage(input) };
    port.postMessage(reply);
  }
});

const undeclared = (): never => {
  throw new TypeError('not caught');
};

const exhaust = (): void => {
  const hoard: number[][] = [];
  for (;;) hoard.push(Array.from({ length: 100_000 }, (_, index) => index + hoard.length));
};
