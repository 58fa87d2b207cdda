import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder of its own for the tests of a file; whoever asks for it removes it. */
export const makeTempFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'quarry-test-'));

export const removeTempFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true });

/** A folder of its own for one test, removed when the test ends. */
export const tempFolder = async (context: TestContext): Promise<string> => {
  const folder = await makeTempFolder();
  context.after(() => removeTempFolder(folder));
  return folder;
};
