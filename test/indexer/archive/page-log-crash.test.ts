import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openLogFile } from '../../../indexer/archive/log-file.ts';
import { openPageLogReader, openPageLogWriter, type PageLogWriter } from '../../../indexer/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { pageOf } from './page-records.ts';

const child = fileURLToPath(new URL('./append-forever.js', import.meta.url));

const urls = async (folder: string): Promise<string[]> => {
  const read: string[] = [];
  for await (const { record } of openPageLogReader(folder).records()) read.push(record.url);
  return read;
};

test('kill -9: what was synced is there, in order, once', async (context) => {
  const folder = join(await tempFolder(context), 'pages');
  let promised = 0;
  for (let round = 0; round < 4; round += 1) {
    const process_ = spawn(process.execPath, [child, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    context.after(() => process_.kill('SIGKILL'));
    const goal = promised + 20 + round * 17;
    let output = '';
    process_.stdout.setEncoding('latin1');
    for await (const text of process_.stdout) {
      output += text as string;
      // Only whole lines count: the last one may have been cut by the kill.
      promised = Number(output.split('\n').at(-2) ?? promised);
      if (promised >= goal) process_.kill('SIGKILL');
    }
    if (process_.exitCode === null && process_.signalCode === null) await once(process_, 'exit');
    assert.equal(process_.signalCode, 'SIGKILL');
    const read = await urls(folder);
    assert.ok(read.length >= promised, `${read.length} records, ${promised} promised`);
    assert.deepEqual(
      read,
      Array.from({ length: read.length }, (_, index) => `http://a.test/${index}`),
    );
    promised = read.length;
  }
});

/** A writer whose disk holds `capacityBytes` more. */
const onSmallDisk = (folder: string, capacityBytes: number): Promise<PageLogWriter> => {
  let left = capacityBytes;
  return openPageLogWriter(folder, {
    bufferBytes: 1,
    openFile: async (path) => {
      const file = await openLogFile(path);
      return {
        ...file,
        write: async (bytes, offsetBytes) => {
          const fits = bytes.subarray(0, left);
          left -= fits.length;
          await file.write(fits, offsetBytes);
          if (fits.length < bytes.length) {
            throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
              code: 'ENOSPC',
              syscall: 'write',
            });
          }
        },
      };
    },
  });
};

test('a full disk is a typed error, and the log stays readable up to the last sync', async (context) => {
  for (let capacityBytes = 700; capacityBytes < 2500; capacityBytes += 450) {
    const folder = await tempFolder(context);
    const writer = await onSmallDisk(folder, capacityBytes);
    const synced: string[] = [];
    const fill = async (): Promise<void> => {
      for (let page = 0; ; page += 1) {
        const url = `http://a.test/${page}`;
        await writer.append(pageOf(url));
        await writer.sync();
        synced.push(url);
      }
    };
    const full = { code: 'INDEXER_LOG_DISK_FULL', exit: 1 };
    await assert.rejects(fill(), full);
    await assert.rejects(writer.sync(), full);
    await assert.rejects(writer.append(pageOf('http://a.test/more')), full);
    await writer.close();
    assert.deepEqual(await urls(folder), synced);
    await (await openPageLogWriter(folder)).close();
    assert.deepEqual(await urls(folder), synced);
  }
});
