import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fail } from './errors.ts';

const PEAK_POLL_MS = 100;

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Killed after so many milliseconds. */
  readonly timeoutMs?: number;
  /** Called as soon as the process runs, to send it a signal or to wait for its words. */
  readonly onStart?: (running: RunningProgram) => void;
}

export interface RunningProgram {
  readonly kill: (signal: NodeJS.Signals) => void;
  /** What it has written to standard output and standard error so far. */
  readonly output: () => string;
}

export interface ProgramResult {
  /** Exit status; 128 and more when a signal ended it, as a shell says. */
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
  /** Largest resident set in bytes; 0 where the system has no /proc. */
  readonly peakBytes: number;
}

const SIGNAL_STATUS: Readonly<Partial<Record<NodeJS.Signals, number>>> = {
  SIGINT: 130,
  SIGKILL: 137,
  SIGTERM: 143,
};

/** The high-water mark of a process's resident set, undefined when it has ended. */
const peakOf = (pid: number): number | undefined => {
  try {
    const match = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match ? Number(match[1]) * 1024 : undefined;
  } catch {
    return undefined; // it ended between two looks, or there is no /proc
  }
};

/** Runs a program to its end. Its status is a result, not an error; not being able to start it is one. */
export const runProgram = (
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    let peakBytes = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const poll = setInterval(() => (peakBytes = peakOf(child.pid ?? 0) ?? peakBytes), PEAK_POLL_MS);
    child.once('error', (error) => {
      clearInterval(poll);
      reject(error);
    });
    child.once('spawn', () =>
      options.onStart?.({ kill: (signal) => child.kill(signal), output: () => stdout + stderr }),
    );
    child.once('close', (code, signal) => {
      clearInterval(poll);
      const status = code ?? (signal === null ? 1 : (SIGNAL_STATUS[signal] ?? 128));
      resolve({ status, stdout, stderr, wallMs: performance.now() - started, peakBytes });
    });
  });

/** The same for a program that must end with status 0. @throws BENCH_PROGRAM_FAILED with its last words. */
export const runSuccessfully = async (
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> => {
  const result = await runProgram(command, args, options);
  if (result.status !== 0) {
    const program = [command, ...args.slice(0, 2)].join(' ');
    const reason = (result.stderr || result.stdout).trim().split('\n').slice(-3).join(' ');
    throw fail('BENCH_PROGRAM_FAILED', { program, status: result.status, reason });
  }
  return result;
};

/** What a program took, by getrusage of the ended process. */
export interface ProgramUsage {
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  /** Largest resident set in bytes. */
  readonly peakBytes: number;
  readonly wallMs: number;
}

/** Node.js cannot ask for the usage of a child; GNU time can. */
const GNU_TIME = '/usr/bin/time';
const USAGE = /^usage (?<user>[\d.]+) (?<system>[\d.]+) (?<peakKib>\d+)$/m;

/**
 * runSuccessfully with the program's usage.
 * @throws BENCH_PROGRAM_FAILED, and BENCH_PEER_MISSING where GNU time is not installed
 */
export const measureUsage = async (
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramUsage & { readonly stdout: string }> => {
  if (!existsSync(GNU_TIME)) {
    throw fail('BENCH_PEER_MISSING', {
      peer: 'GNU time',
      path: GNU_TIME,
      remedy: 'run: apt-get install time',
    });
  }
  const words = ['-f', 'usage %U %S %M', command, ...args];
  const { stdout, stderr, wallMs } = await runSuccessfully(GNU_TIME, words, options);
  const { user, system, peakKib } = USAGE.exec(stderr)?.groups ?? {};
  return {
    stdout,
    wallMs,
    cpuMs: (Number(user) + Number(system)) * 1000,
    peakBytes: Number(peakKib) * 1024,
  };
};

/** Objects of a program's JSON lines. */
export const jsonLines = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Row);
