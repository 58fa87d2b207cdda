import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '../paths.ts';
import { type ProgramResult, runProgram, runSuccessfully } from '../program.ts';
import type { StepContext } from './verdicts.ts';

const DEMO_LIMIT_MS = 300_000;
/** A word that the documentation of the installed packages surely holds. */
const DEMO_QUERY = 'fastify plugin';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const lastWords = ({ stdout, stderr }: ProgramResult): string =>
  `${stdout}\n${stderr}`.trim().split('\n').slice(-2).join(' ');

const claimRun = async (context: StepContext, clone: string, words: readonly string[]): Promise<boolean> => {
  const [command = '', ...args] = words;
  context.say(`${words.join(' ')} in a fresh clone`);
  const result = await runProgram(command, args, { cwd: clone });
  const summary = /^# (tests|pass|fail) \d+$/gm;
  const counts = [...result.stdout.matchAll(summary)].map(([line]) => line.slice(2)).join(', ');
  const good = result.status === 0;
  const said = good ? counts : lastWords(result);
  context.claim(
    words.join(' '),
    good,
    `${seconds(result.wallMs)}, status ${result.status}${said === '' ? '' : `, ${said}`}`,
  );
  return good;
};

/** Hits of the search that listens at one of the addresses in the text; undefined while none answers. */
const askDemo = async (output: string): Promise<number | undefined> => {
  const origins = new Set(
    [...output.matchAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g)].map(([origin]) => origin),
  );
  for (const origin of origins) {
    try {
      const answer = await fetch(`${origin}/api/search?q=${encodeURIComponent(DEMO_QUERY)}`);
      const { hits } = (await answer.json()) as { readonly hits?: readonly unknown[] };
      if (answer.ok && hits !== undefined && hits.length > 0) return hits.length;
    } catch {
      // not listening yet, or not the search
    }
  }
  return undefined;
};

/** `npm start` until its search answers; it is a group of processes, ended together. */
const claimDemo = async (context: StepContext, clone: string): Promise<void> => {
  context.say('npm start in a fresh clone');
  const started = performance.now();
  const child = spawn('npm', ['start'], { cwd: clone, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  let hits: number | undefined;
  while (hits === undefined && child.exitCode === null && performance.now() - started < DEMO_LIMIT_MS) {
    await wait(200);
    hits = await askDemo(output);
  }
  const took = performance.now() - started;
  const said =
    hits === undefined ? output.trim().split('\n').slice(-2).join(' ') : `${hits} hits for "${DEMO_QUERY}"`;
  context.claim(
    'npm start opens a search that answers',
    hits !== undefined,
    `after ${seconds(took)}, ${said}`,
  );
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
  await Promise.race([ended, wait(20_000)]);
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, 'SIGKILL');
};

/** What is committed, as a newcomer gets it. */
export const cloneStep = async (context: StepContext): Promise<void> => {
  const clone = join(context.workFolder, 'clone');
  await rm(clone, { recursive: true, force: true });
  await runSuccessfully('git', ['clone', '--quiet', projectRoot, clone]);
  if (!(await claimRun(context, clone, ['npm', 'ci', '--no-audit', '--no-fund']))) return;
  await claimDemo(context, clone);
  await claimRun(context, clone, ['npm', 'test']);
};
