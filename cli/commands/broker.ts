import { serveNodes } from '../../index.ts';
import { queryConfig } from '../../query/index.ts';
import { type Command, option } from '../command.ts';
import { optionsOf } from '../options.ts';
import { DEFAULT_HOST, DEFAULT_PORT, portOf, untilStopped } from './serve.ts';

export const brokerCommand: Command = {
  name: 'broker',
  takes: '',
  summary: 'Answers searches over HTTP, as serve does, from shard servers.',
  options: [
    option({
      flag: 'nodes',
      help: 'the shard servers (`quarry shard`), each shard of the index in one of them',
      placeholder: 'HOST:PORT,…',
    }),
    option({ flag: 'node-token', help: 'the token that they ask for' }),
    option({
      flag: 'stats',
      help: 'refresh the global statistics and keep them in this folder',
      placeholder: 'DIR',
    }),
    option({
      flag: 'port',
      kind: 'integer',
      default: DEFAULT_PORT,
      help: 'port to listen on; 0 takes a free one',
    }),
    option({ flag: 'host', default: DEFAULT_HOST, help: 'address to listen on', placeholder: 'ADDRESS' }),
    option({ flag: 'token', help: 'ask every client for this token (bearer or password)' }),
    ...optionsOf(queryConfig.schema),
  ],
  run: async ({ settings, output, signal, misuse }) => {
    const { nodes, nodeToken, stats, port, host = DEFAULT_HOST, token, ...query } = settings;
    if (typeof nodes !== 'string' || nodes === '') throw misuse('name the shard servers with --nodes');
    const served = await serveNodes({
      nodes: nodes.split(','),
      port: portOf(port, misuse),
      host: String(host),
      ...(typeof nodeToken === 'string' ? { nodeToken } : {}),
      ...(typeof stats === 'string' ? { statsFolder: stats } : {}),
      ...(typeof token === 'string' ? { token } : {}),
      settings: query,
      onWarning: (text) => output.warn(`warning: ${text}`),
    });
    await untilStopped(served, signal, output);
    return 0;
  },
};
