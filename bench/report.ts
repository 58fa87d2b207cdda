import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** What every result carries, so that a figure can be read without its context. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  readonly quarry: string;
  /** Commit that was measured, '' outside a clone. */
  readonly commit: string;
}

export interface Measurement {
  readonly bench: string;
  /** What was measured: ours or a peer, with its version. */
  readonly subject: string;
  /** Such as `pages/s`, `µs/query or`. */
  readonly metric: string;
  /** One value per alternation. */
  readonly values: readonly number[];
  /** Anything that the figure depends on: corpus, mode, seed. */
  readonly context?: Readonly<Record<string, string | number>>;
}

const commitOf = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: projectRoot,
      encoding: 'utf8',
    }).trim();
  } catch {
    return ''; // installed without its history
  }
};

export const thisMachine = (): Machine => {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()}`,
    node: process.versions.node,
    quarry: manifest.version,
    commit: commitOf(),
  };
};

/** Of an even number the mean of the two in the middle; the list must not be empty. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
};

const shortNumber = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

const contextText = (context: Measurement['context']): string =>
  Object.entries(context ?? {})
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');

const tableLine = ({ subject, metric, values, context }: Measurement): string => {
  const spread = `${shortNumber(Math.min(...values))} to ${shortNumber(Math.max(...values))}, ${values.length} runs`;
  const cells = [
    subject.padEnd(22),
    metric.padEnd(28),
    shortNumber(median(values)).padStart(10),
    `  (${spread})`,
  ];
  return `${cells.join(' ')} ${contextText(context)}`.trimEnd();
};

const jsonLine = (measurement: Measurement, machine: Machine): string => {
  const { values, context = {}, ...rest } = measurement;
  return JSON.stringify({
    ...rest,
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    runs: values.length,
    context,
    machine,
  });
};

/** How a result is told: one JSON object per measurement, or a table under the machine's line. */
export const formatReport = (
  measurements: readonly Measurement[],
  machine: Machine,
  json: boolean,
): string => {
  if (json) return measurements.map((measurement) => `${jsonLine(measurement, machine)}\n`).join('');
  const head = `${machine.cpu}, ${machine.cores} cores, Node.js ${machine.node}, Quarry ${machine.quarry} ${machine.commit}`;
  return `${head.trimEnd()}\n${measurements.map((measurement) => `${tableLine(measurement)}\n`).join('')}`;
};
