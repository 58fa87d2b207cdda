import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fail } from '../errors.ts';
import type { UpdatingSaid, UpdatingTask } from './updating-writer.ts';

export type Committed = Extract<UpdatingSaid, { readonly kind: 'committed' }>;

const PROGRAM = fileURLToPath(new URL('./updating-writer.js', import.meta.url));

export interface UpdatingHandlers {
  readonly onReady: () => void;
  readonly onCommitted: (committed: Committed) => void;
}

/** Runs the updating program to its end. @throws BENCH_PROGRAM_FAILED */
export const runUpdating = async (
  task: UpdatingTask,
  { onReady, onCommitted }: UpdatingHandlers,
): Promise<void> => {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as UpdatingSaid;
    if (said.kind === 'ready') onReady();
    else onCommitted(said);
  }
  const [status] = (await exit) as [number | null];
  if (status !== 0)
    throw fail('BENCH_PROGRAM_FAILED', {
      program: PROGRAM,
      status: status ?? 1,
      reason: 'see its words above',
    });
};
