import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, from a test that runs in `dist/test/helpers`. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** Not the project's own text: what was installed, built, crawled or copied. */
const FOREIGN = new Set([
  'node_modules',
  'dist',
  '.git',
  'coverage',
  'quarry-data',
  'test/data',
  'test/golden',
]);

/** Paths of the project's files, relative, with `/`, sorted. */
export const projectFiles = (folder = ''): string[] =>
  readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (FOREIGN.has(path) || FOREIGN.has(entry.name)) return [];
      if (entry.isDirectory()) return projectFiles(path);
      return entry.isFile() ? [path] : [];
    })
    .sort();

export const readProject = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

/** Lines as a person counts them. */
export const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length;

export interface Import {
  /** The importing file. */
  readonly from: string;
  /** A project path for a relative import (always `.ts` for a source), else the module's name. */
  readonly to: string;
  /** `await import()`, or a worker's file named by `new URL`. */
  readonly dynamic: boolean;
}

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const STATIC = /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s+)?'([^']+)'/g;
const DYNAMIC = /(?:\bimport\(\s*|new URL\(\s*)'([^']+)'/g;

const resolve = (from: string, specifier: string): string =>
  specifier.startsWith('.')
    ? posix.normalize(posix.join(posix.dirname(from), specifier)).replace(/\.js$/, '.ts')
    : specifier;

/** What a TypeScript source imports, read from its text: the compiler has no interface for asking. */
export const importsOf = (from: string, source = readProject(from)): Import[] => {
  const text = withoutComments(source);
  const found = (pattern: RegExp, dynamic: boolean): Import[] =>
    [...text.matchAll(pattern)].map(([, specifier = '']) => ({
      from,
      to: resolve(from, specifier),
      dynamic,
    }));
  return [...found(STATIC, false), ...found(DYNAMIC, true)];
};
