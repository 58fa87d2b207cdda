import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  type Import,
  importsOf,
  lineCount,
  PROJECT,
  projectFiles,
  readProject,
} from './helpers/source-tree.ts';

/** The rooms that each room may import from, besides itself: docs/ARCHITECTURE.md. The top-level index.ts is `face`. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  shards: [],
  indexer: ['shards'],
  crawler: ['indexer', 'shards'],
  query: ['shards'],
  face: ['crawler', 'indexer', 'shards', 'query'],
  cli: ['face', 'crawler', 'indexer', 'shards', 'query'],
  bench: ['face', 'crawler', 'indexer', 'shards', 'query'],
  test: ['face', 'crawler', 'indexer', 'shards', 'query', 'cli', 'bench'],
};
/** Rooms that other rooms import from; each has a public face. */
const LIBRARY_ROOMS = ['crawler', 'indexer', 'shards', 'query'];
/** Measurements and tests look inside rooms. */
const MAY_LOOK_INSIDE = new Set(['bench', 'test']);
const LINES_MAX = 500;

const roomOf = (path: string): string => (path === 'index.ts' ? 'face' : (path.split('/')[0] ?? ''));
const isSource = (path: string): boolean => path.endsWith('.ts') && roomOf(path) in ARROWS;

const files = projectFiles();
// This file's own examples of imports are no imports.
const sources = files.filter(isSource).filter((path) => path !== 'test/architecture.test.ts');
const imports = sources.flatMap((path) => importsOf(path));
/** Imports from one room into another. */
const crossings = imports.filter(({ from, to }) => isSource(to) && roomOf(to) !== roomOf(from));
const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

/** A path of imports that comes back to where it began, undefined when there is none. Types count: they tie files too. */
const circleOf = (arrows: readonly Import[]): string[] | undefined => {
  const targets = new Map<string, string[]>();
  for (const { from, to } of arrows) targets.set(from, [...(targets.get(from) ?? []), to]);
  const finished = new Set<string>();
  const search = (path: readonly string[]): string[] | undefined => {
    const here = path.at(-1) ?? '';
    const start = path.indexOf(here);
    if (start < path.length - 1) return path.slice(start);
    for (const next of finished.has(here) ? [] : (targets.get(here) ?? [])) {
      const circle = search([...path, next]);
      if (circle !== undefined) return circle;
    }
    finished.add(here);
    return undefined;
  };
  for (const start of targets.keys()) {
    const circle = search([start]);
    if (circle !== undefined) return circle;
  }
  return undefined;
};

/** What the compiler of the kernels writes; nobody reads it. */
const GENERATED = 'shards/kernels/generated/';

describe('architecture', () => {
  it('reads imports in all their forms', () => {
    const source = [
      "import { a } from '../b.ts';",
      "import type { T } from './t.ts';",
      "import './side.ts';",
      "export { x,\n  y } from '../../c/index.ts';",
      "// import { no } from './comment.ts';",
      "const m = await import('../bench/main.ts');",
      "new Worker(new URL('./worker.js', import.meta.url));",
      "import { z } from 'zlib';",
    ].join('\n');
    assert.deepEqual(
      importsOf('q/r/s.ts', source).map(({ to }) => to),
      ['q/b.ts', 'q/r/t.ts', 'q/r/side.ts', 'c/index.ts', 'zlib', 'q/bench/main.ts', 'q/r/worker.ts'],
    );
  });

  it('is found: there are sources in every library room, and imports between them', () => {
    for (const room of LIBRARY_ROOMS)
      assert.ok(
        sources.some((path) => roomOf(path) === room),
        room,
      );
    assert.ok(crossings.length > 20);
  });

  it('has import arrows only as drawn', () => {
    const wrong = crossings.filter(({ from, to }) => !ARROWS[roomOf(from)]?.includes(roomOf(to)));
    // The bench command loads the benchmarks when it is called, and only then.
    const breaches = wrong.filter(
      ({ from, to, dynamic }) => !(dynamic && roomOf(from) === 'cli' && roomOf(to) === 'bench'),
    );
    assert.deepEqual(breaches.map(shown), []);
  });

  it('imports another room by its index.ts only', () => {
    const breaches = crossings.filter(
      ({ from, to }) =>
        LIBRARY_ROOMS.includes(roomOf(to)) &&
        !MAY_LOOK_INSIDE.has(roomOf(from)) &&
        to !== `${roomOf(to)}/index.ts`,
    );
    assert.deepEqual(breaches.map(shown), []);
  });

  it('has no files that import each other in a circle', () => {
    const arrow = (from: string, to: string): Import => ({ from, to, dynamic: false });
    assert.deepEqual(circleOf([arrow('a', 'b'), arrow('b', 'c'), arrow('a', 'c')]), undefined);
    assert.deepEqual(circleOf([arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'b')]), ['b', 'c', 'b']);
    // A module names its own worker file, and the bench command loads its benchmarks: neither is an import at start.
    assert.deepEqual(circleOf(imports.filter(({ dynamic }) => !dynamic)), undefined);
  });

  it('imports only what exists', () => {
    const missing = imports.filter(
      ({ to }) => to.endsWith('.ts') && isSource(to) && !existsSync(join(PROJECT, to)),
    );
    assert.deepEqual(missing.map(shown), []);
  });

  it('has one file that imports LMDB, and one that imports roaring', () => {
    const importersOf = (name: string): string[] => [
      ...new Set(
        imports.filter(({ from, to }) => to === name && roomOf(from) !== 'test').map(({ from }) => from),
      ),
    ];
    assert.deepEqual(importersOf('lmdb'), ['crawler/frontier/store.ts']);
    assert.deepEqual(importersOf('roaring'), ['shards/segment/bitmap.ts']);
  });

  it('imports only packages that package.json names, development ones not in the product', () => {
    const manifest = JSON.parse(readProject('package.json')) as Record<string, Record<string, string>>;
    const product = new Set(Object.keys(manifest['dependencies'] ?? {}));
    // The packed product under its own name, as its users import it.
    const development = new Set([...Object.keys(manifest['devDependencies'] ?? {}), 'quarry']);
    const packageOf = (to: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
    const foreign = imports.filter(
      ({ to }) => !to.endsWith('.ts') && !to.startsWith('node:') && !/^[./]/.test(to),
    );
    const isDevelopment = (from: string): boolean => /^(test|bench|cli\/demo)\//.test(from);
    const breaches = foreign.filter(({ from, to, dynamic }) => {
      const name = packageOf(to);
      if (dynamic && !product.has(name) && !development.has(name)) return !to.includes(':');
      return !(product.has(name) || (isDevelopment(from) && development.has(name)));
    });
    assert.deepEqual(breaches.map(shown), []);
  });

  it('names files in kebab case', () => {
    const odd = sources.filter(
      (path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.ts$/.test(path.split('/').at(-1) ?? ''),
    );
    assert.deepEqual(odd, []);
  });

  it(`has no source above ${LINES_MAX} lines`, () => {
    const long = sources
      .filter((path) => !path.startsWith(GENERATED))
      .map((path) => [path, lineCount(readProject(path))] as const)
      .filter(([, lines]) => lines > LINES_MAX);
    assert.deepEqual(long, []);
  });

  it('has a README in every room and a public list in every library room', () => {
    for (const room of [...LIBRARY_ROOMS, 'cli', 'bench', 'test']) {
      assert.ok(files.includes(`${room}/README.md`), `${room}/README.md is missing`);
    }
    for (const room of LIBRARY_ROOMS)
      assert.ok(files.includes(`${room}/index.ts`), `${room}/index.ts is missing`);
  });

  it('begins the README of every folder with the question that the folder answers', () => {
    const readmes = files.filter(
      (path) => path.endsWith('/README.md') && /^(crawler|indexer|shards|query|cli|bench|test)\//.test(path),
    );
    const odd = readmes.filter((path) => !/^(# )?\S.*\?$/.test(readProject(path).split('\n')[0] ?? ''));
    assert.deepEqual(odd, []);
  });
});
