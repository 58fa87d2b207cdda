import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltIndex, Corpus, Engine } from '../../engines/engine.ts';
import type { StepContext } from '../verdicts.ts';

/** An engine's index of a corpus, and what making it took. */
export interface Subject {
  readonly engine: Engine;
  readonly folder: string;
  readonly built: BuiltIndex;
}

const FIGURES = 'built.json';

const readBuilt = async (file: string): Promise<BuiltIndex> => {
  const { bytes, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Omit<BuiltIndex, 'bytes'> & {
    readonly bytes: Readonly<Record<string, number>>;
  };
  return { ...rest, bytes: new Map(Object.entries(bytes)) };
};

/** Builds an index, in place of the one that may be there. */
export const buildIndex = async (context: StepContext, engine: Engine, corpus: Corpus): Promise<Subject> => {
  const home = join(context.workFolder, 'indexes', `${corpus.name} ${engine.name}`);
  const making = `${home} (unfinished)`;
  for (const folder of [home, making]) await rm(folder, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  context.say(`${engine.name}: indexing the ${corpus.name} corpus`);
  const built = await engine.index(corpus, join(making, 'index'));
  const figures = { ...built, bytes: Object.fromEntries(built.bytes) };
  await writeFile(join(making, FIGURES), JSON.stringify(figures));
  await rename(making, home);
  return { engine, folder: join(home, 'index'), built };
};

/** An index that an earlier step or call has built, or a new one. */
export const ensureIndex = async (context: StepContext, engine: Engine, corpus: Corpus): Promise<Subject> => {
  const home = join(context.workFolder, 'indexes', `${corpus.name} ${engine.name}`);
  if (!existsSync(join(home, FIGURES))) return buildIndex(context, engine, corpus);
  return { engine, folder: join(home, 'index'), built: await readBuilt(join(home, FIGURES)) };
};

export const totalBytes = ({ built }: Subject): number =>
  [...built.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
