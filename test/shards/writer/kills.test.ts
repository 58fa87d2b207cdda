import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Contents } from '../../../bench/kills/contents.ts';
import { killTrial } from '../../../bench/kills/kill-trial.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

/** From before the first commit to some commits and merges later. */
const KILL_AFTER_MS = [350, 700, 1100, 900, 1500];
/** Then longer and longer until a commit was acknowledged, on a machine that had other things to do. */
const LATER_KILLS_MS = [4000, 16_000, 64_000];

test('a writer that is killed leaves every acknowledged document, none twice, and goes on', async (context) => {
  const folder = join(await tempFolder(context), 'shards');
  let contents: Contents = new Map();
  let firstVersion = 1;
  let commits = 0;
  const trial = async (seed: number, afterMs: number): Promise<void> => {
    const outcome = await killTrial({ folder, seed, firstVersion }, contents, afterMs);
    assert.deepEqual(outcome.faults, []);
    ({ contents } = outcome);
    firstVersion = outcome.nextVersion;
    commits += outcome.commits;
  };
  for (const [seed, afterMs] of KILL_AFTER_MS.entries()) await trial(seed, afterMs);
  for (const afterMs of LATER_KILLS_MS) if (commits === 0) await trial(afterMs, afterMs);
  assert.ok(commits > 0, 'there were commits');
  assert.ok(contents.size > 0);
});
