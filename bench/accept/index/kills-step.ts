import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '../../../query/evaluation/seeded-random.ts';
import type { Contents } from '../../kills/contents.ts';
import { killTrial } from '../../kills/kill-trial.ts';
import type { StepContext } from '../verdicts.ts';

const KILLS = 100;
/** A child needs some 400 ms to begin; then it commits every few milliseconds, and merges beside that. */
const LEAST_MS = 300;
const SPREAD_MS = 1500;
const SEED = 20;

/** A hundred times kill -9 at random moments of updates, removals, commits and merges in one folder. */
export const killsStep = async ({ workFolder, claim, say }: StepContext): Promise<void> => {
  const folder = join(await mkdtemp(join(workFolder, 'kills-')), 'shards');
  const random = seededRandom(SEED);
  let contents: Contents = new Map();
  let firstVersion = 1;
  let commits = 0;
  let pendingIn = 0;
  const faults: string[] = [];
  for (let seed = 0; seed < KILLS && faults.length === 0; seed += 1) {
    const outcome = await killTrial(
      { folder, seed, firstVersion },
      contents,
      LEAST_MS + random() * SPREAD_MS,
    );
    ({ contents } = outcome);
    firstVersion = outcome.nextVersion;
    commits += outcome.commits;
    pendingIn += Number(outcome.isPendingIn);
    faults.push(...outcome.faults);
    if (seed % 10 === 9) say(`${seed + 1} kills, ${commits} commits`);
  }
  claim(
    'after kill -9 every acknowledged document is found, none twice, all checksums hold',
    faults.length === 0,
    faults[0] ??
      `${KILLS} kills, ${commits} commits acknowledged, ${pendingIn} that nobody heard of; ${contents.size} documents`,
  );
};
