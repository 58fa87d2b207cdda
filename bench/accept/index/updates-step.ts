import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { docsTask, type Task } from '../../engines/corpus.ts';
import { percentile } from '../../query-timing.ts';
import { median } from '../../report.ts';
import { openLoop } from '../../updates/open-loop.ts';
import { ServingIndex } from '../../updates/serving-index.ts';
import { type Committed, runUpdating } from '../../updates/updating-child.ts';
import type { StepContext } from '../verdicts.ts';
import { ensureIndex } from './built-indexes.ts';
import { defaultEngine } from './engines.ts';

const QUERIES_PER_SECOND = 200;
const UPDATES_PER_SECOND = 1000;
/** Updates that a busy machine may be short of at the end. */
const LEAST_RATE_SHARE = 0.95;
const WARM_MS = 5000;
/** Before the updates, and again behind them. */
const CALM_MS = 15_000;
/** So long that the large segment, of which 15 % are deleted by then, is merged under way. */
const LOADED_MS = 40_000;
const SLOWDOWN = { goal: 2, minimum: 2, better: 'down' } as const;
const VISIBLE_LIMIT_MS = 2000;
/** Between two looks for an update. */
const LOOK_MS = 25;
const LOOKS = 400;
const SEED = 4;

/** Milliseconds from a commit's return until a search finds its documents; Infinity when none does in time. */
const visibleMs = async (index: ServingIndex, { edition, atMs }: Committed): Promise<number> => {
  for (let look = 0; look < LOOKS; look += 1) {
    if ((await index.countOf(edition)) > 0) return Date.now() - atMs;
    await sleep(LOOK_MS);
  }
  return Infinity;
};

interface LoadedFigures {
  /** Milliseconds of each query. */
  readonly times: readonly number[];
  readonly committed: readonly Committed[];
  /** Milliseconds until each commit was found. */
  readonly visible: readonly number[];
}

type AskFor = (durationMs: number) => Promise<number[]>;

interface Loading {
  readonly task: Task;
  readonly data: string;
  readonly index: ServingIndex;
  readonly askFor: AskFor;
}

const measureLoaded = async ({ task, data, index, askFor }: Loading): Promise<LoadedFigures> => {
  const committed: Committed[] = [];
  const looks: Promise<number>[] = [];
  let queries: Promise<number[]> = Promise.resolve([]);
  await runUpdating(
    { data, jsonlFile: task.jsonlFile, perSecond: UPDATES_PER_SECOND, durationMs: LOADED_MS, seed: SEED },
    {
      onReady: () => {
        queries = askFor(LOADED_MS);
      },
      onCommitted: (each) => {
        committed.push(each);
        looks.push(visibleMs(index, each));
      },
    },
  );
  return { times: await queries, committed, visible: await Promise.all(looks) };
};

const tell = (times: readonly number[]): string => {
  const rising = [...times].sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(rising, share).toFixed(2));
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${rising.at(-1)?.toFixed(0)} ms`;
};

const p99Of = (times: readonly number[]): number =>
  percentile(
    [...times].sort((a, b) => a - b),
    0.99,
  );

/** Judges the updates themselves: their rate, and when they were found. */
const judgeUpdates = ({ claim }: StepContext, { committed, visible }: LoadedFigures): void => {
  const updates = committed.reduce((sum, { documents }) => sum + documents, 0);
  const perSecond = updates / (LOADED_MS / 1000);
  const commitMs = median(committed.map((each) => each.commitMs));
  claim(
    `${UPDATES_PER_SECOND} documents a second are replaced`,
    perSecond >= UPDATES_PER_SECOND * LEAST_RATE_SHARE,
    `${Math.round(perSecond)} a second in ${committed.length} commits of ${Math.round(commitMs)} ms (median)`,
  );
  const longest = Math.max(...visible);
  claim(
    'an acknowledged update is found within 2 s',
    longest <= VISIBLE_LIMIT_MS,
    `median ${Math.round(median(visible))} ms, longest ${Math.round(longest)} ms`,
  );
};

/** Queries alone and beside updates, from the same server; how soon updates are found. */
export const updatesStep = async (context: StepContext): Promise<void> => {
  const task = docsTask();
  const subject = await ensureIndex(context, defaultEngine(), task);
  const data = await mkdtemp(join(context.workFolder, 'updates-'));
  try {
    await cp(subject.folder, data, { recursive: true });
    const lines = (await readFile(task.queriesFile, 'utf8')).split('\n').filter((line) => line !== '');
    await using index = await ServingIndex.open(data);
    const askFor: AskFor = (durationMs) =>
      openLoop({ perSecond: QUERIES_PER_SECOND, durationMs }, (number) =>
        index.query(lines[number % lines.length] ?? ''),
      );
    const waiting = `${loadavg()[0]?.toFixed(1)} others' processes on ${cpus().length} cores at the beginning`;
    await askFor(WARM_MS);
    context.say('queries alone');
    const before = await askFor(CALM_MS);
    context.say('queries beside updates');
    const loaded = await measureLoaded({ task, data, index, askFor });
    context.say('queries alone again');
    const calm = [...before, ...(await askFor(CALM_MS))];
    context.measure(
      `p99 of ${QUERIES_PER_SECOND} queries a second beside updates over p99 alone`,
      p99Of(loaded.times) / p99Of(calm),
      SLOWDOWN,
      `beside ${tell(loaded.times)}; alone ${tell(calm)}; ${waiting}`,
    );
    judgeUpdates(context, loaded);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
};
