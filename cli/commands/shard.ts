import { once } from 'node:events';
import { serveShards } from '../../index.ts';
import { type Command, type CommandContext, option } from '../command.ts';
import { DEFAULT_HOST, DEFAULT_WORKERS, portOf } from './serve.ts';

const DEFAULT_SHARD_PORT = 7700;

/** Numbers of shards as typed: `0,2`. */
const shardsOf = (asked: unknown, misuse: CommandContext['misuse']): readonly number[] | undefined => {
  if (typeof asked !== 'string' || asked === '') return undefined;
  const words = asked.split(',');
  const bad = words.find((word) => !/^\d{1,4}$/.test(word));
  if (bad !== undefined) throw misuse(`--shards takes numbers as in 0,2; "${bad}" is none`);
  return [...new Set(words.map(Number))].sort((a, b) => a - b);
};

export const shardCommand: Command = {
  name: 'shard',
  takes: '',
  summary: 'Serves shards of a data folder to `quarry broker` in other processes.',
  options: [
    option({
      flag: 'shards',
      help: 'numbers of the shards to serve; all when left out',
      placeholder: '0,2,…',
    }),
    option({
      flag: 'port',
      kind: 'integer',
      default: DEFAULT_SHARD_PORT,
      help: 'port to listen on; 0 takes a free one',
    }),
    option({ flag: 'host', default: DEFAULT_HOST, help: 'address to listen on', placeholder: 'ADDRESS' }),
    option({ flag: 'token', help: 'ask every broker for this token; it is no secret on the wire' }),
    option({
      flag: 'workers',
      kind: 'integer',
      default: DEFAULT_WORKERS,
      help: 'threads that search beside the one that speaks to brokers; 0 searches in that one',
    }),
    option({
      flag: 'max-requests',
      kind: 'integer',
      default: 256,
      help: 'requests worked on at once; one more is refused',
    }),
  ],
  run: async ({ data, settings, output, signal, misuse }) => {
    const { host = DEFAULT_HOST, token, workers = DEFAULT_WORKERS, maxRequests = 256 } = settings;
    const shards = shardsOf(settings['shards'], misuse);
    const served = await serveShards({
      data,
      host: String(host),
      port: portOf(settings['port'] ?? DEFAULT_SHARD_PORT, misuse),
      workers: Number(workers),
      maxRequests: Number(maxRequests),
      ...(shards === undefined ? {} : { shards }),
      ...(typeof token === 'string' ? { token } : {}),
      onWarning: (text) => output.warn(`warning: ${text}`),
    });
    output.result({ kind: 'serving', node: served.node }, () => `Shard server: ${served.node}`);
    output.note('Ctrl-C answers what is open and ends it.');
    if (!signal.aborted) await once(signal, 'abort');
    await served.close();
    return 0;
  },
};
