import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fail } from './errors.ts';
import { sharedPath } from './paths.ts';
import { runSuccessfully } from './program.ts';

const START_LIMIT_MS = 20_000;
const WEB = 'small.json';
const FIRST_PAGE_HOST = 'postgresql.test';

interface WebFile {
  readonly port: number;
  readonly dns: { readonly ip: string; readonly port: number };
  readonly control: { readonly ip: string; readonly port: number };
}

/** An answer of the local web, as it logs it. */
export interface WebRequest {
  /** Wall-clock milliseconds of the request and of the answer's end. */
  readonly t: number;
  readonly end: number;
  readonly host: string;
  readonly path: string;
  readonly status: number;
  readonly note?: string;
  readonly cut?: string;
}

export interface LocalWeb extends AsyncDisposable {
  readonly seeds: readonly string[];
  /** `ADDRESS:PORT` of its name server. */
  readonly dns: string;
  readonly port: number;
  readonly logFile: string;
  /** Answers so far, robots.txt left out. */
  readonly requests: () => WebRequest[];
  readonly close: () => Promise<void>;
}

export const localWebScript = (): string => sharedPath('localweb', 'localweb.mjs');
export const localWebFile = (): string => sharedPath('localweb', 'webs', WEB);

const runScript = async (command: 'seeds' | 'hosts'): Promise<string> => {
  const { stdout, stderr } = await runSuccessfully(process.execPath, [
    localWebScript(),
    command,
    localWebFile(),
  ]);
  const missing = [...stderr.matchAll(/^left out.*: (\S+)$/gm)].map(([, host]) => host);
  if (missing.length > 0) {
    const script = sharedPath('localweb', 'install.sh');
    throw fail('BENCH_WEB_NOT_INSTALLED', { missing: missing.join(', '), script });
  }
  return stdout;
};

/** Lines of a hosts file: address, names. @throws BENCH_WEB_NOT_INSTALLED */
export const localWebHosts = (): Promise<string> => runScript('hosts');

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const assertFree = async (web: WebFile, addresses: readonly string[]): Promise<void> => {
  const ports = [
    [web.control.ip, web.control.port] as const,
    ...addresses.map((ip) => [ip, web.port] as const),
  ];
  for (const [ip, port] of ports) {
    if (await accepts(ip, port)) throw fail('BENCH_PORT_BUSY', { address: `${ip}:${port}` });
  }
};

/** The web is up when its pages answer: the control port opens earlier. */
const untilUp = async (child: ChildProcess, web: WebFile, address: string): Promise<void> => {
  const deadline = performance.now() + START_LIMIT_MS;
  while (!((await accepts(address, web.port)) && (await accepts(web.control.ip, web.control.port)))) {
    if (child.exitCode !== null) throw fail('BENCH_WEB_FAILED', { reason: `status ${child.exitCode}` });
    if (performance.now() > deadline) throw fail('BENCH_WEB_FAILED', { reason: 'no answer within 20 s' });
    await wait(50);
  }
};

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

const readLog = (logFile: string): WebRequest[] =>
  existsSync(logFile)
    ? readFileSync(logFile, 'utf8')
        .split('\n')
        .slice(0, -1) // the last line may be half written
        .filter((line) => line.startsWith('{"ev":"req"'))
        .map((line) => JSON.parse(line) as WebRequest)
        .filter(({ path }) => path !== '/robots.txt')
    : [];

/**
 * Serves the small local web, with a log of every request, until it is closed.
 * @throws BENCH_SHARED_MISSING, BENCH_WEB_NOT_INSTALLED, BENCH_PORT_BUSY, BENCH_WEB_FAILED
 */
export const startLocalWeb = async (logFile: string): Promise<LocalWeb> => {
  const web = JSON.parse(readFileSync(localWebFile(), 'utf8')) as WebFile;
  const seeds = (await runScript('seeds')).trim().split('\n');
  const hosts = (await localWebHosts()).trim().split('\n');
  const addresses = [...new Set(hosts.map((line) => line.split(/\s+/)[0] ?? ''))];
  const firstPage =
    hosts.find((line) => line.includes(FIRST_PAGE_HOST))?.split(/\s+/)[0] ?? addresses[0] ?? '';
  await assertFree(web, addresses);
  const words = openSync(`${logFile}.out`, 'w');
  const child = spawn(process.execPath, [localWebScript(), 'serve', localWebFile(), '--log', logFile], {
    stdio: ['ignore', words, words],
  });
  closeSync(words);
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended(child);
  };
  try {
    await untilUp(child, web, firstPage);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    seeds,
    dns: `${web.dns.ip}:${web.dns.port}`,
    port: web.port,
    logFile,
    requests: () => readLog(logFile),
    close,
    [Symbol.asyncDispose]: close,
  };
};

export const urlOf = ({ host, path }: WebRequest, port: number): string => `http://${host}:${port}${path}`;
