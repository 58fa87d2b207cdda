import { once } from 'node:events';
import { type Served, serve } from '../../index.ts';
import { queryConfig } from '../../query/index.ts';
import { type Command, type CommandContext, option } from '../command.ts';
import { optionsOf } from '../options.ts';
import type { Output } from '../output.ts';

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8080;
/** Searching keeps off the thread that speaks HTTP; costs a message of about 0.06 ms a query. */
export const DEFAULT_WORKERS = 1;

const MAX_PORT = 65_535;

/** The port that was asked for, the usual one when none was. */
export const portOf = (asked: unknown, misuse: CommandContext['misuse']): number => {
  if (asked === undefined || asked === '') return DEFAULT_PORT;
  const port = Number(asked);
  if (port < 0 || port > MAX_PORT) throw misuse(`port ${port} is not in 0 to ${MAX_PORT}`);
  return port;
};

/** Says where the page is (a result, so also with --quiet) and answers until the process is told to stop. */
export const untilStopped = async (served: Served, signal: AbortSignal, output: Output): Promise<void> => {
  output.result({ kind: 'serving', url: served.url }, () => `Search page: ${served.url}`);
  output.note('Ctrl-C ends it.');
  if (!signal.aborted) await once(signal, 'abort');
  await served.close();
};

export const serveCommand: Command = {
  name: 'serve',
  takes: '',
  summary: 'Answers searches over HTTP: a page at /, JSON at /api/search.',
  options: [
    option({
      flag: 'port',
      kind: 'integer',
      default: DEFAULT_PORT,
      help: 'port to listen on; 0 takes a free one',
    }),
    option({ flag: 'host', default: DEFAULT_HOST, help: 'address to listen on', placeholder: 'ADDRESS' }),
    option({ flag: 'token', help: 'ask every client for this token (bearer or password)' }),
    option({
      flag: 'workers',
      kind: 'integer',
      default: DEFAULT_WORKERS,
      help: 'threads that search beside the one that speaks HTTP; 0 searches in that one',
    }),
    ...optionsOf(queryConfig.schema),
  ],
  run: async ({ data, settings, output, signal, misuse }) => {
    const { port, host = DEFAULT_HOST, token, workers = DEFAULT_WORKERS, ...query } = settings;
    const served = await serve({
      data,
      port: portOf(port, misuse),
      host: String(host),
      workers: Number(workers),
      ...(typeof token === 'string' ? { token } : {}),
      settings: query,
      onWarning: (text) => output.warn(`warning: ${text}`),
    });
    await untilStopped(served, signal, output);
    return 0;
  },
};
