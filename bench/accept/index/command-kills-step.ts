import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '../../../query/evaluation/seeded-random.ts';
import { COMMANDS, type CommandName, commandTrial } from '../../kills/command-trial.ts';
import type { Contents } from '../../kills/contents.ts';
import type { StepContext } from '../verdicts.ts';

const KILLS = 60;
const SHARDS = 2;
const DOCUMENTS = 300;
/** Fewer than a tenth of the documents, so that half of the commands change an index and do not make it anew. */
const CHANGES = 20;
/** Until a command was once seen to its end. */
const FIRST_GUESS_MS = 1000;
/** Of a command's time: before, Node.js starts, and behind it the command has ended. */
const EARLIEST = 0.3;
const LATEST = 1.05;
const SEED = 21;

const urlOf = (document: number): string => `http://h${document % 7}.test/${document}`;

/** What an index of these documents holds after a command like that. */
const changed = (
  before: Contents,
  command: CommandName,
  { firstVersion, random }: { readonly firstVersion: number; readonly random: () => number },
): Contents => {
  const after = new Map(before);
  if (command === 'index --rebuild') return after;
  if (before.size === 0) {
    for (let document = 0; document < DOCUMENTS; document += 1) after.set(urlOf(document), firstVersion);
    return after;
  }
  for (let change = 0; change < CHANGES; change += 1) {
    const url = urlOf(Math.floor(random() * DOCUMENTS));
    if (command === 'remove') after.delete(url);
    else after.set(url, firstVersion + change);
  }
  return after;
};

/** Kills import, index and remove at random moments, in one data folder, and runs each again. */
export const commandKillsStep = async ({ workFolder, claim, say }: StepContext): Promise<void> => {
  const data = join(await mkdtemp(join(workFolder, 'command-kills-')), 'data');
  const random = seededRandom(SEED);
  const usualMs = new Map<CommandName, number>();
  const killed = new Map<CommandName, number>();
  let contents: Contents = new Map();
  let kills = 0;
  let inForce = 0;
  const faults: string[] = [];
  for (let trial = 0; kills < KILLS && faults.length === 0; trial += 1) {
    // The first of all is an import into nothing.
    const command = COMMANDS[trial % COMMANDS.length] ?? 'import';
    const after = changed(contents, command, { firstVersion: 1 + trial * DOCUMENTS, random });
    const share = EARLIEST + random() * (LATEST - EARLIEST);
    const killAfterMs = share * (usualMs.get(command) ?? FIRST_GUESS_MS);
    const task = { command, data, shards: SHARDS, before: contents, after, killAfterMs };
    const outcome = await commandTrial(task);
    faults.push(...outcome.faults.map((fault) => `trial ${trial}, ${command}: ${fault}`));
    contents = after;
    usualMs.set(command, outcome.completeMs);
    if (!outcome.isKilled) continue;
    kills += 1;
    inForce += Number(outcome.isAfterInForce && command !== 'index --rebuild');
    killed.set(command, (killed.get(command) ?? 0) + 1);
    if (kills % 10 === 0) say(`${kills} kills of commands`);
  }
  const byCommand = [...killed].map(([command, count]) => `${command} ${count}`).join(', ');
  claim(
    'after kill -9 of a command, and after running it again, every acknowledged document is found, none twice, status --verify is clean',
    faults.length === 0,
    faults[0] ?? `${kills} kills: ${byCommand}; ${inForce} behind the commit; ${contents.size} documents`,
  );
};
