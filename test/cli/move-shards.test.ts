import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../index.ts';
import { assertRefused } from '../helpers/assert-refused.ts';
import { objectsOf, quarry } from '../helpers/quarry-program.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const DOCUMENT_COUNT = 200;

interface Status {
  readonly index: {
    readonly documents: number;
    readonly generation: number;
    readonly shards: readonly unknown[];
    readonly balance: {
      readonly slots: readonly number[];
      readonly documents: number;
      readonly bytes: number;
    };
  };
}

test('quarry index --shards moves slots, may be killed at any instant, and the number of shards stays', async (context) => {
  const folder = await tempFolder(context);
  const file = join(folder, 'documents.jsonl');
  const lines = Array.from({ length: DOCUMENT_COUNT }, (_, at) =>
    JSON.stringify({
      url: `http://h${at % 7}.test/${at}`,
      title: `Number ${at}`,
      text: `stone number ${at}`,
    }),
  );
  await writeFile(file, lines.join('\n'));
  const data = join(folder, 'data');
  assert.equal((await quarry(['import', '--data', data, '--shards', '2', file])).status, 0);
  const status = async (...words: string[]) => {
    const [found] = objectsOf<Status>(await quarry(['status', '--data', data, '--json', ...words]));
    return (found ?? assert.fail()).index;
  };
  const answer = async () => {
    const [found] = objectsOf<Answer>(
      await quarry(['search', '--data', data, '--json', '-k', '300', 'stone 7']),
    );
    return found?.hits;
  };
  const before = await answer();
  assert.equal(before?.length, DOCUMENT_COUNT);
  const first = await status();
  assert.deepEqual([first.shards.length, first.balance.slots], [2, [512, 512]]);
  assert.ok(first.balance.documents >= 1 && first.balance.documents < 1.5 && first.balance.bytes >= 1);

  // Killed once the new generation is begun, and a little later.
  const generations = async () => (await readdir(join(data, 'shards'))).filter((name) => /^\d+$/.test(name));
  for (const delayMs of [0, 15]) {
    const known = await generations();
    let hasEnded = false;
    const killed = quarry(['index', '--data', data, '--shards', '5'], {
      onStart: ({ kill }) =>
        void (async () => {
          while (!hasEnded && (await generations()).every((name) => known.includes(name))) await sleep(1);
          await sleep(delayMs);
          kill('SIGKILL');
        })(),
    });
    await killed;
    hasEnded = true;
    const left = await status('--verify');
    assert.ok([2, 5].includes(left.shards.length), String(left.shards.length));
    assert.equal(left.documents, DOCUMENT_COUNT);
  }
  const moved = await quarry(['index', '--data', data, '--shards', '3', '--json']);
  assert.equal(moved.status, 0, moved.stderr);
  const [row] = objectsOf<{ kind: string; moved: { shards: number; documents: number; movedDocs: number } }>(
    moved,
  );
  assert.deepEqual([row?.kind, row?.moved.shards, row?.moved.documents], ['moved', 3, DOCUMENT_COUNT]);
  assert.ok((row?.moved.movedDocs ?? 0) > 0 && (row?.moved.movedDocs ?? 0) < DOCUMENT_COUNT / 2);
  assert.deepEqual(await answer(), before);

  assert.equal((await quarry(['index', '--data', data])).status, 0);
  const after = await status('--verify');
  assert.deepEqual([after.shards.length, after.documents], [3, DOCUMENT_COUNT]);
  assert.deepEqual(after.balance.slots, [341, 342, 341]);
  assert.deepEqual(await answer(), before);
  assertRefused(await quarry(['index', '--data', data, '--shards', '0']), { status: 2, says: /shards/ });
});
