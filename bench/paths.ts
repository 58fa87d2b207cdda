import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from './errors.ts';

/** The project's folder; this file runs from dist/bench. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** What issues and benchmarks are measured with. */
export const sharedRoot = resolve(process.env['QUARRY_SHARED'] ?? join(projectRoot, '../shared'));

/** Where peers are installed. */
export const peersRoot = resolve(process.env['QUARRY_PEERS'] ?? join(projectRoot, '../peers'));

/** A file of the shared folder. @throws BENCH_SHARED_MISSING */
export const sharedPath = (...parts: readonly string[]): string => {
  const path = join(sharedRoot, ...parts);
  if (!existsSync(path)) throw fail('BENCH_SHARED_MISSING', { path });
  return path;
};

/** A program of ours, built. @throws BENCH_NOT_BUILT */
export const builtProgram = (name: 'crawl-and-index' | 'quarry'): string => {
  const path = join(projectRoot, 'dist/cli', `${name}.js`);
  if (!existsSync(path)) throw fail('BENCH_NOT_BUILT', { path });
  return path;
};
