import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder of its own for one test, removed when the test ends. */
export const tempFolder = async (context: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-test-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
