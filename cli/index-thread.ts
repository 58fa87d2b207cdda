import { parentPort, Worker, workerData } from 'node:worker_threads';
import { indexFolder, QuarryError } from '../index.ts';
import { openDataFolder } from '../indexer/index.ts';

/** What the thread is told, and what it says when it ends. */
interface IndexTask {
  readonly data: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

type IndexOutcome =
  | { readonly kind: 'done' }
  /** By the signal. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/**
 * Makes the index in a thread of its own, so that a crawl goes on beside it. The caller holds the folder's writer
 * lock. Aborted, the thread is stopped; a half-made generation is never in force and goes away at the next one.
 * Rejects with an error that nobody foresaw.
 */
export const indexInThread = (task: IndexTask, signal: AbortSignal): Promise<IndexOutcome> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      resolve({ kind: 'stopped' });
      return;
    }
    const worker = new Worker(new URL('./index-thread.js', import.meta.url), { workerData: task });
    const stop = (): void => {
      worker.terminate().catch(reject);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop);
      resolve({ kind: 'stopped' });
    });
  });

const work = async ({ data, settings }: IndexTask): Promise<IndexOutcome> => {
  try {
    await indexFolder(await openDataFolder(data), { settings });
    return { kind: 'done' };
  } catch (error) {
    if (error instanceof QuarryError) return { kind: 'failed', code: error.code, message: error.message };
    throw error;
  }
};

if (parentPort !== null) parentPort.postMessage(await work(workerData as IndexTask));
