import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fail } from './errors.ts';
import { builtProgram } from './paths.ts';

/** A `quarry` command that serves until it is told to stop. */
export interface ServerProcess<Said> extends AsyncDisposable {
  readonly pid: number | undefined;
  /** The first object that it printed: where it listens. */
  readonly said: Said;
  stop(): Promise<void>;
}

/** Starts `quarry WORDS --json` and waits for its first line. @throws BENCH_PROGRAM_FAILED */
export const startServer = async <Said>(words: readonly string[]): Promise<ServerProcess<Said>> => {
  const child = spawn(process.execPath, [builtProgram('quarry'), ...words, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  for await (const line of createInterface({ input: child.stdout })) {
    return { pid: child.pid, said: JSON.parse(line) as Said, stop, [Symbol.asyncDispose]: stop };
  }
  throw fail('BENCH_PROGRAM_FAILED', { program: `quarry ${words[0]}`, status: 1, reason: 'it said nothing' });
};
