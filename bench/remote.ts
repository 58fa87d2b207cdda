import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  connectNode,
  openNode,
  parseNodeAddress,
  type SearchRequest,
  type ShardClient,
} from '../shards/index.ts';
import { readOptions, wholeNumber } from './options.ts';
import { sharedPath } from './paths.ts';
import { planRequests } from './plan-requests.ts';
import type { Measurement } from './report.ts';
import { startServer } from './server-process.ts';

/** Of times in /proc/PID/stat (sysconf(_SC_CLK_TCK)), on Linux everywhere. */
const TICKS_PER_S = 100;

/** User and system time of another process in microseconds, from /proc (proc(5)). */
const cpuUsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_S) * 1e6;
};

const ownCpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** `quarry shard` over all shards, searching in its main thread. */
const startShard = (data: string) =>
  startServer<{ readonly node: string }>(['shard', '--data', data, '--port', '0', '--workers', '0']);

interface RoundFigures {
  /** Microseconds a query. */
  readonly wall: number;
  readonly client: number;
  readonly server: number;
}

/** Asks all requests, `atOnce` of them in flight. */
const askAll = async (
  client: ShardClient,
  requests: readonly SearchRequest[],
  { atOnce, serverPid }: { readonly atOnce: number; readonly serverPid: number | undefined },
): Promise<RoundFigures> => {
  const serverCpu = () => (serverPid === undefined ? 0 : cpuUsOf(serverPid));
  const before = { wall: performance.now(), client: ownCpuUs(), server: serverCpu() };
  const queue = requests.values();
  const ask = async (): Promise<void> => {
    for (const request of queue) await client.search(request);
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  const count = requests.length;
  return {
    wall: ((performance.now() - before.wall) * 1000) / count,
    client: (ownCpuUs() - before.client) / count,
    server: (serverCpu() - before.server) / count,
  };
};

/** What it costs to ask a node in another process on loopback instead of in this one: latency and CPU of both sides. */
export const benchRemote = async (
  args: readonly string[],
  say: (text: string) => void,
): Promise<Measurement[]> => {
  const options = readOptions(args, {
    data: './quarry-data',
    queries: sharedPath('queries', 'docs-corpus.txt'),
    rounds: '5',
  });
  const rounds = wholeNumber('rounds', options.rounds);
  const { data } = options;
  const folders = { shardsFolder: join(data, 'shards'), statsFolder: join(data, 'stats') };
  const local = await openNode({ ...folders, pollMs: 0 });
  await using shard = await startShard(data);
  const remote = connectNode(parseNodeAddress(shard.said.node));
  try {
    const requests = await planRequests(remote, options.queries);
    const subjects = [
      { subject: 'in process', client: local, atOnce: 1, serverPid: undefined },
      { subject: 'over loopback', client: remote, atOnce: 1, serverPid: shard.pid },
      { subject: 'over loopback, 16 at once', client: remote, atOnce: 16, serverPid: shard.pid },
    ];
    const figures = new Map(subjects.map(({ subject }) => [subject, [] as RoundFigures[]]));
    for (const { client, ...how } of subjects) await askAll(client, requests, how);
    for (let round = 0; round < rounds; round += 1) {
      for (const { subject, client, ...how } of subjects) {
        say(`round ${round + 1} of ${rounds}: ${subject}`);
        figures.get(subject)?.push(await askAll(client, requests, how));
      }
    }
    const context = {
      shards: (await local.status()).shards.length,
      queries: requests.length,
      k: requests[0]?.k ?? 0,
    };
    return [...figures].flatMap(([subject, list]) =>
      (['wall', 'client', 'server'] as const).map((what) => ({
        bench: 'remote',
        subject,
        metric: what === 'wall' ? 'µs/query' : `µs CPU/query ${what}`,
        values: list.map((each) => each[what]),
        context,
      })),
    );
  } finally {
    await remote.close();
    await local.close();
  }
};
