import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ensureDataFolder, lockDataFolder, openDataFolder } from '../../../indexer/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const indexer = new URL('../../../indexer/index.js', import.meta.url).href;

/** A process that holds the lock of `root` until it is killed. */
const holder = async (context: TestContext, root: string, platform: string): Promise<ChildProcess> => {
  const script = `
    const { openDataFolder, lockDataFolder } = await import(${JSON.stringify(indexer)});
    await lockDataFolder(await openDataFolder(${JSON.stringify(root)}), ${JSON.stringify(platform)});
    process.stdout.write('locked');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
};

for (const platform of ['linux', 'darwin'] as const) {
  const skip = platform === 'linux' && process.platform !== 'linux';
  test(`${platform}: a second writer is told who holds the lock`, { skip }, async (context) => {
    const folder = await ensureDataFolder(await tempFolder(context));
    const lock = await lockDataFolder(folder, platform);
    await assert.rejects(
      lockDataFolder(folder, platform),
      (error: Error & { code: string; exit: number }) => {
        assert.equal(error.code, 'INDEXER_FOLDER_LOCKED');
        assert.equal(error.exit, 2);
        assert.match(error.message, new RegExp(`process ${process.pid} is writing`));
        return true;
      },
    );
    await lock.release();
    await lock.release();
    await (await lockDataFolder(folder, platform)).release();
  });

  test(`${platform}: the lock of a killed process is free at once`, { skip }, async (context) => {
    const folder = await ensureDataFolder(await tempFolder(context));
    const child = await holder(context, folder.root, platform);
    await assert.rejects(lockDataFolder(folder, platform), new RegExp(`process ${child.pid} is writing`));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lockDataFolder(folder, platform)).release();
  });
}

test('linux: another path to the same folder is the same lock', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const parent = await tempFolder(context);
  const folder = await ensureDataFolder(join(parent, 'data'));
  await symlink(folder.root, join(parent, 'alias'));
  await using _lock = await lockDataFolder(folder, 'linux');
  await assert.rejects(lockDataFolder(await openDataFolder(join(parent, 'alias')), 'linux'), {
    code: 'INDEXER_FOLDER_LOCKED',
  });
});

test('darwin: a pid file that holds no number is void', async (context) => {
  const folder = await ensureDataFolder(await tempFolder(context));
  await writeFile(join(folder.root, 'writer.pid'), 'nonsense');
  const lock = await lockDataFolder(folder, 'darwin');
  assert.equal(await readFile(join(folder.root, 'writer.pid'), 'utf8'), String(process.pid));
  await lock.release();
});
