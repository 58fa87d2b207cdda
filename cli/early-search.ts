import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Served, serve } from '../index.ts';
import { queryErrors } from '../query/index.ts';
import { type Clock, defineErrors } from '../shards/index.ts';
import { indexInThread } from './index-thread.ts';

const FIRST_INDEX_AFTER_MS = 15_000;
const SHORTEST_PAUSE_MS = 60_000;
/** The pause is so many times what the last index took: the crawl keeps nearly all of the machine. */
const PAUSE_FACTOR = 20;

export interface EarlySearchOptions {
  readonly data: string;
  readonly indexSettings: Readonly<Record<string, unknown>>;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Whether the folder already has an index to answer from. */
  readonly hasIndex: boolean;
  readonly say: (text: string) => void;
}

/** The search page beside a running crawl: its index is made anew now and then, and once more at the end. */
export interface EarlySearch {
  /** Stops making indexes; the page goes on. Throws what went wrong, such as a port in use. */
  settle(): Promise<void>;
  /** The page, opened now if it was not yet. */
  page(): Promise<Served>;
  close(): Promise<void>;
}

/**
 * Begins: answers at once from the index that is there, else as soon as there is one. A port in use is an error now,
 * not after an hour of crawling.
 */
export const startEarlySearch = async (options: EarlySearchOptions): Promise<EarlySearch> => {
  const { data, indexSettings, clock, say, host, port } = options;
  const stopped = new AbortController();
  let served: Served | undefined;
  const page = async (): Promise<Served> => {
    if (served === undefined) {
      served = await serve({ data, host, port, onWarning: say });
      say(`search at ${served.url}`);
    }
    return served;
  };
  if (options.hasIndex) await page();
  else await probePort(host, port);
  const loop = async (): Promise<void> => {
    let pauseMs = FIRST_INDEX_AFTER_MS;
    while (await slept(clock, pauseMs, stopped.signal)) {
      const startMs = clock.monotonicMs();
      const outcome = await indexInThread({ data, settings: indexSettings }, stopped.signal);
      if (outcome.kind === 'done') await page();
      // Early in a crawl there may be nothing to index yet; all else the user must hear, the next try may fare alike.
      if (outcome.kind === 'failed' && outcome.code !== 'INDEXER_NOTHING_TO_INDEX') {
        say(`warning: the search page is not up to date: ${outcome.message}`);
      }
      pauseMs = Math.max(SHORTEST_PAUSE_MS, PAUSE_FACTOR * (clock.monotonicMs() - startMs));
    }
  };
  // The outcome waits until somebody asks for it; an unhandled rejection would end the crawl unsaved.
  const ended = loop().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const settle = async (): Promise<void> => {
    stopped.abort();
    const failure = await ended;
    if (failure !== undefined) throw failure.error;
  };
  return {
    settle,
    page,
    close: async () => {
      stopped.abort();
      await ended;
      await served?.close();
    },
  };
};

const failQuery = defineErrors(queryErrors);

const probePort = async (host: string, port: number): Promise<void> => {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const reason = (error as Error).message;
    throw failQuery(inUse ? 'QUERY_PORT_IN_USE' : 'QUERY_BAD_HOST', { host, port, reason }, error);
  }
  probe.close();
  await once(probe, 'close');
};

/** Whether the whole pause went by. */
const slept = async (clock: Clock, pauseMs: number, signal: AbortSignal): Promise<boolean> => {
  try {
    await clock.sleep(pauseMs, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
};
