import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from './errors.ts';
import {
  type LocalWeb,
  localWebFile,
  localWebHosts,
  localWebScript,
  startLocalWeb,
  type WebRequest,
} from './local-web.ts';
import { readOptions, wholeNumber } from './options.ts';
import { builtProgram, peersRoot, sharedPath } from './paths.ts';
import { type ProgramResult, runSuccessfully } from './program.ts';
import type { Measurement } from './report.ts';

interface Contestant {
  readonly name: string;
  readonly run: (web: LocalWeb, folder: string, concurrency: number) => Promise<ProgramResult>;
}

const ours: Contestant = {
  name: 'quarry',
  run: (web, folder, concurrency) => {
    const politenessOff = ['--delay', '0', '--politeness', '0', '--concurrency', String(concurrency)];
    const reach = ['--dns', web.dns, '--allow-private', '--data', join(folder, 'data'), '--quiet'];
    return runSuccessfully(process.execPath, [
      builtProgram('quarry'),
      'crawl',
      ...reach,
      ...politenessOff,
      ...web.seeds,
    ]);
  },
};

/** Crawlee's modules are looked for beside the script that imports them: the peer's script is laid where it is installed. */
const crawlee: Contestant = {
  name: 'crawlee',
  run: async (web, _folder, concurrency) => {
    const home = join(peersRoot, 'crawlee');
    if (!existsSync(join(home, 'node_modules/crawlee'))) {
      const remedy = `run: mkdir -p ${home} && cd ${home} && npm init -y && npm i crawlee`;
      throw fail('BENCH_PEER_MISSING', { peer: 'Crawlee', path: home, remedy });
    }
    const script = join(home, 'crawlee_peer.mjs');
    await copyFile(sharedPath('peers', 'crawlee_peer.mjs'), script);
    return runSuccessfully(process.execPath, [script, String(concurrency), ...web.seeds], { cwd: home });
  },
};

/** Debian's python3-scrapy belongs to the system's Python, whatever else is first in the path. */
const PYTHON = '/usr/bin/python3';

const scrapy: Contestant = {
  name: 'scrapy',
  run: async (web, _folder, concurrency) => {
    const script = sharedPath('peers', 'scrapy_peer.py');
    try {
      return await runSuccessfully(PYTHON, [script, String(concurrency), ...web.seeds]);
    } catch (error) {
      if (!/No module named 'scrapy'|ENOENT/.test(String(error))) throw error;
      const remedy = 'run: apt-get install python3-scrapy';
      throw fail('BENCH_PEER_MISSING', { peer: 'Scrapy', path: PYTHON, remedy }, error);
    }
  },
};

const CONTESTANTS: readonly Contestant[] = [ours, crawlee, scrapy];

/** The peers have no resolver of their own: the system must know the hosts. @throws BENCH_HOSTS_MISSING */
const assertHostsKnown = async (): Promise<void> => {
  for (const line of (await localWebHosts()).trim().split('\n')) {
    const [address = '', host = ''] = line.split(/\s+/);
    const found = await lookup(host).catch(() => undefined);
    if (found?.address !== address) {
      throw fail('BENCH_HOSTS_MISSING', { host, script: localWebScript(), web: localWebFile() });
    }
  }
};

interface CrawlFigures {
  readonly pages: number;
  readonly pagesPerSecond: number;
  readonly peakMegabytes: number;
}

const figuresOf = (requests: readonly WebRequest[], result: ProgramResult): CrawlFigures => {
  const good = requests.filter(({ status }) => status === 200);
  const pages = new Set(good.map(({ host, path }) => host + path)).size;
  const first = Math.min(...requests.map(({ t }) => t));
  const last = Math.max(...requests.map(({ end }) => end));
  return { pages, pagesPerSecond: (pages * 1000) / (last - first), peakMegabytes: result.peakBytes / 1e6 };
};

/** One crawl by one program of a web that was started for it alone, so that no log or cache is shared. */
const crawlOnce = async (contestant: Contestant, concurrency: number): Promise<CrawlFigures> => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-'));
  try {
    await using web = await startLocalWeb(join(folder, 'web.jsonl'));
    const result = await contestant.run(web, folder, concurrency);
    return figuresOf(web.requests(), result);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const measurementsOf = (
  name: string,
  figures: readonly CrawlFigures[],
  concurrency: number,
): Measurement[] => {
  const context = { web: 'localweb small', concurrency, pages: figures.at(-1)?.pages ?? 0 };
  const common = { bench: 'crawl', subject: name, context };
  return [
    { ...common, metric: 'pages/s', values: figures.map(({ pagesPerSecond }) => pagesPerSecond) },
    { ...common, metric: 'peak memory, MB', values: figures.map(({ peakMegabytes }) => peakMegabytes) },
  ];
};

const pickContestants = (names: string): Contestant[] =>
  names.split(',').map((name) => {
    const found = CONTESTANTS.find((contestant) => contestant.name === name);
    const known = CONTESTANTS.map((contestant) => contestant.name).join(', ');
    if (found === undefined) throw fail('BENCH_UNKNOWN_NAME', { kind: 'crawler', name, known });
    return found;
  });

/** Pages a second and peak memory of ours and the peers on the same web, alternating. */
export const benchCrawl = async (
  args: readonly string[],
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const options = readOptions(args, {
    runs: '3',
    concurrency: '32',
    only: CONTESTANTS.map(({ name }) => name).join(','),
  });
  const runs = wholeNumber('runs', options.runs);
  const concurrency = wholeNumber('concurrency', options.concurrency);
  const contestants = pickContestants(options.only);
  if (contestants.some((contestant) => contestant !== ours)) await assertHostsKnown();
  const figures = new Map<string, CrawlFigures[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < runs; round++) {
    // Every other round backwards: nobody is always first on a machine that has just become warm or busy.
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const once = await crawlOnce(contestant, concurrency);
      figures.get(contestant.name)?.push(once);
      say(
        `${contestant.name}: ${once.pages} pages, ${once.pagesPerSecond.toFixed(1)} pages/s, ${once.peakMegabytes.toFixed(0)} MB`,
      );
    }
  }
  return [...figures].flatMap(([name, list]) => measurementsOf(name, list, concurrency));
};
