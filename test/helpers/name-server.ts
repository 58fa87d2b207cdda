import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** What the server says of a name: addresses and seconds, `none` (it does not exist), `fail` (SERVFAIL). */
export type NameAnswer =
  | { readonly v4?: readonly string[]; readonly v6?: readonly string[]; readonly ttlS: number }
  | 'none'
  | 'fail';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;
const SERVFAIL = 2;

interface Question {
  readonly name: string;
  readonly type: number;
  /** End of the question in the message. */
  readonly end: number;
}

/** RFC 1035, 4.1.2: labels with their lengths, then type and class. */
const questionOf = (message: Buffer): Question => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
};

/** Sixteen bytes of an address like `2001:db8:0:0:0:0:0:1`, four of an IPv4 one. */
const bytesOf = (ip: string): Buffer => {
  if (!ip.includes(':')) return Buffer.from(ip.split('.').map(Number));
  const bytes = Buffer.alloc(16);
  ip.split(':').forEach((group, index) => bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2));
  return bytes;
};

const record = (type: number, ttlS: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttlS, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

const reply = (message: Buffer, answer: NameAnswer): Buffer => {
  const { type, end } = questionOf(message);
  const addresses =
    typeof answer === 'string'
      ? []
      : ((type === TYPE_A ? answer.v4 : type === TYPE_AAAA ? answer.v6 : []) ?? []);
  const head = Buffer.from(message.subarray(0, end));
  const code = answer === 'none' ? NXDOMAIN : answer === 'fail' ? SERVFAIL : 0;
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const ttlS = typeof answer === 'string' ? 0 : answer.ttlS;
  return Buffer.concat([head, ...addresses.map((ip) => record(type, ttlS, bytesOf(ip)))]);
};

export interface NameServer extends AsyncDisposable {
  /** `127.0.0.1:PORT`. */
  readonly address: string;
  /** Questions so far, such as `a.test A`. */
  readonly questions: readonly string[];
}

/** A name server on the loopback interface that answers from a table; names that it lacks do not exist. */
export const startNameServer = async (names: Readonly<Record<string, NameAnswer>>): Promise<NameServer> => {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (message, { address, port }) => {
    const { name, type } = questionOf(message);
    questions.push(`${name} ${type === TYPE_A ? 'A' : 'AAAA'}`);
    socket.send(reply(message, names[name] ?? 'none'), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
};
