import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, isSystemError } from '../bytes/system-errors.ts';
import { attachmentName, type GenerationInfo, generationFolder, shardFolder } from '../segment/current.ts';
import { filesOfSegment, manifestFile, readManifest } from '../segment/manifest.ts';

const GENERATION_NAME = /^\d{6,}$/;
const SHARD_NAME = /^\d{2,}$/;

/** Every file of a generation that a commit needs; those of earlier commits that it goes on using too. */
export const filesOfCommit = async (folder: string, info: GenerationInfo): Promise<Set<string>> => {
  const generation = generationFolder(folder, info.generation);
  const files = new Set(
    Object.entries(info.attachments).map(([name, commit]) => join(generation, attachmentName(name, commit))),
  );
  for (const [shard, commit] of info.manifests.entries()) {
    const path = shardFolder(folder, info.generation, shard);
    files.add(manifestFile(path, commit));
    const { segments } = await readManifest(path, commit);
    for (const file of segments.flatMap((entry) => filesOfSegment(path, entry))) files.add(file);
  }
  return files;
};

/** Numbers of the generations that have a folder, in rising order. */
export const listGenerations = async (folder: string): Promise<number[]> => {
  const names = await readdir(folder);
  return names
    .filter((name) => GENERATION_NAME.test(name))
    .map(Number)
    .sort((a, b) => a - b);
};

export const removeGenerations = async (
  folder: string,
  isUnwanted: (generation: number) => boolean,
): Promise<void> => {
  for (const generation of (await listGenerations(folder)).filter(isUnwanted)) {
    await rm(generationFolder(folder, generation), { recursive: true, force: true });
  }
};

/** Removes the files of a generation for which `isNeeded` does not hold. */
export const removeFiles = async (
  folder: string,
  generation: number,
  isNeeded: (file: string) => boolean,
): Promise<void> => {
  const root = generationFolder(folder, generation);
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (!entry.isDirectory() || !SHARD_NAME.test(entry.name)) await removeUnless(path, isNeeded);
    else for (const name of await readdir(path)) await removeUnless(join(path, name), isNeeded);
  }
};

const removeUnless = async (file: string, isNeeded: (file: string) => boolean): Promise<void> => {
  if (!isNeeded(file)) await rm(file, { recursive: true, force: true });
};

/**
 * Runs what clears away old files behind a commit, which stands whatever becomes of them: what the system refuses to
 * remove now is removed behind a later commit, or when the next writer opens.
 */
export const tolerating = async (clear: () => Promise<void>): Promise<void> => {
  try {
    await clear();
  } catch (error) {
    if (!isSystemError(error) || isMissing(error)) throw error;
  }
};
