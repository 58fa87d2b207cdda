import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { QuarryError } from '../../shards/index.ts';
import { fail } from '../errors.ts';
import { readOptions, wholeNumber } from '../options.ts';
import { browserStep } from './browser-step.ts';
import { cloneStep } from './clone-step.ts';
import { crawlStep } from './crawl-step.ts';
import { buildStep } from './index/build-step.ts';
import { commandKillsStep } from './index/command-kills-step.ts';
import { identityStep } from './index/identity-step.ts';
import { killsStep } from './index/kills-step.ts';
import { memoryStep } from './index/memory-step.ts';
import { shardsStep } from './index/shards-step.ts';
import { statisticsStep } from './index/statistics-step.ts';
import { timesStep } from './index/times-step.ts';
import { updatesStep } from './index/updates-step.ts';
import { variantsStep } from './index/variants-step.ts';
import { packageStep } from './package-step.ts';
import { rankingStep } from './ranking-step.ts';
import { shardingStep } from './sharding-step.ts';
import { createVerdicts, type StepContext } from './verdicts.ts';

type Step = (context: StepContext) => Promise<void>;

/** Steps of each issue in the order in which they run: later ones use what earlier ones crawled. */
const ISSUES: Readonly<Record<string, Readonly<Record<string, Step>>>> = {
  path: {
    crawl: crawlStep,
    ranking: rankingStep,
    sharding: shardingStep,
    browser: browserStep,
    package: packageStep,
    clone: cloneStep,
  },
  index: {
    times: timesStep,
    build: buildStep,
    memory: memoryStep,
    identity: identityStep,
    variants: variantsStep,
    shards: shardsStep,
    statistics: statisticsStep,
    updates: updatesStep,
    kills: killsStep,
    'command-kills': commandKillsStep,
  },
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const choose = <Value>(kind: string, choices: Readonly<Record<string, Value>>, name: string): Value => {
  const found = Object.hasOwn(choices, name) ? choices[name] : undefined;
  if (found === undefined)
    throw fail('BENCH_UNKNOWN_NAME', { kind, name, known: Object.keys(choices).join(', ') });
  return found;
};

/** A step that breaks is a failed claim: the others still run. */
const runStep = async (
  name: string,
  step: Step,
  settings: Pick<StepContext, 'workFolder' | 'effort'>,
): Promise<number> => {
  const verdicts = createVerdicts(print, name);
  try {
    await step({ ...settings, claim: verdicts.claim, measure: verdicts.measure, say });
  } catch (error) {
    verdicts.claim('runs to its end', false, error instanceof Error ? error.message : String(error));
  }
  return verdicts.failedCount();
};

/** @returns How many claims failed. */
const accept = async (args: readonly string[]): Promise<number> => {
  const [name = '', ...rest] = args;
  const steps = choose('acceptance', ISSUES, name);
  const options = readOptions(rest, {
    only: Object.keys(steps).join(','),
    work: '',
    runs: '3',
    rounds: '60',
  });
  const effort = {
    runs: wholeNumber('runs', options.runs),
    rounds: wholeNumber('rounds', options.rounds),
  };
  const chosen = options.only.split(',').map((step) => [step, choose('step', steps, step)] as const);
  const workFolder =
    options.work === '' ? await mkdtemp(join(tmpdir(), 'quarry-accept-')) : resolve(options.work);
  await mkdir(workFolder, { recursive: true });
  try {
    let failed = 0;
    for (const [step, run] of chosen) failed += await runStep(step, run, { workFolder, effort });
    return failed;
  } finally {
    if (options.work === '') await rm(workFolder, { recursive: true, force: true });
  }
};

try {
  const failed = await accept(process.argv.slice(2));
  print(failed === 0 ? 'all claims hold' : `${failed} claims failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof QuarryError)) throw error;
  say(error.message);
  process.exitCode = error.exit;
}
