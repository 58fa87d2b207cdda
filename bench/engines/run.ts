import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fail } from '../errors.ts';
import { peersRoot, sharedPath } from '../paths.ts';
import { jsonLines, type ProgramResult, runSuccessfully } from '../program.ts';

/** One thread on one core, so that neither a compiler's nor a collector's thread is counted as the engine's. */
export const runPinned = (words: readonly string[]): Promise<ProgramResult> =>
  runSuccessfully('taskset', ['-c', '1', ...words]);

/** The object that a program printed as its only result. @throws BENCH_PROGRAM_FAILED */
export const onlyRow = <Row>(program: string, stdout: string): Row => {
  const [row] = jsonLines<Row>(stdout);
  if (row === undefined)
    throw fail('BENCH_PROGRAM_FAILED', { program, status: 0, reason: 'printed no figures' });
  return row;
};

/** Path of a peer's program. @throws BENCH_PEER_MISSING with the command that installs it */
export const peerProgram = (name: string, ...parts: readonly string[]): string => {
  const path = join(peersRoot, ...parts);
  if (existsSync(path)) return path;
  const remedy = `run: sh ${sharedPath('peers', 'install.sh')} ${name} ${peersRoot}`;
  throw fail('BENCH_PEER_MISSING', { peer: name, path, remedy });
};

/** Bytes of a folder's files by ending. */
export const bytesByEnding = async (folder: string): Promise<Map<string, number>> => {
  const sizes = new Map<string, number>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const ending = extname(entry.name);
    const { size } = await stat(join(entry.parentPath, entry.name));
    sizes.set(ending, (sizes.get(ending) ?? 0) + size);
  }
  return sizes;
};
