import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { RunningProgram } from '../../bench/program.ts';
import type { Answer } from '../../index.ts';
import { assertRefused } from '../helpers/assert-refused.ts';
import { objectsOf, quarry, until } from '../helpers/quarry-program.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const DOCUMENT_COUNT = 60;

/** A data folder with an index of four shards. */
const makeIndex = async (context: TestContext): Promise<string> => {
  const folder = await tempFolder(context);
  const file = join(folder, 'documents.jsonl');
  const lines = Array.from({ length: DOCUMENT_COUNT }, (_, at) =>
    JSON.stringify({
      url: `http://h${at % 7}.test/${at}`,
      title: `Number ${at}`,
      text: `stone number ${at}`,
    }),
  );
  await writeFile(file, lines.join('\n'));
  const data = join(folder, 'data');
  const { status, stderr } = await quarry(['import', '--data', data, '--shards', '4', file]);
  assert.equal(status, 0, stderr);
  return data;
};

interface Started {
  readonly running: RunningProgram;
  /** What it said it serves. */
  readonly said: string;
  readonly ended: Promise<number>;
}

/** Starts a serving command; resolves when it says where. */
const start = async (context: TestContext, words: readonly string[]): Promise<Started> => {
  let running: RunningProgram | undefined;
  const ended = quarry([...words, '--json'], {
    onStart: (program) => {
      running = program;
    },
  });
  context.after(async () => {
    running?.kill('SIGKILL');
    await ended;
  });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const serving = () => /\{"kind":"serving","(?:node|url)":"([^"]+)"\}/.exec(running?.output() ?? '')?.[1];
  await until(() => hasEnded || serving() !== undefined, `${words[0]} serves: ${running?.output()}`);
  assert.ok(running !== undefined && serving() !== undefined, running?.output());
  return { running, said: serving() ?? '', ended: ended.then(({ status }) => status) };
};

test('a broker over three shard servers: one killed, answers are partial; back, they are whole', async (context) => {
  const data = await makeIndex(context);
  const shard = (shards: string, port = '0') =>
    start(context, ['shard', '--data', data, '--shards', shards, '--port', port, '--workers', '0']);
  const servers = await Promise.all([shard('0,2'), shard('1'), shard('3')]);
  const [, victim] = servers;
  assert.ok(victim !== undefined);
  const nodes = servers.map(({ said }) => said).join(',');
  const broker = await start(context, [
    'broker',
    '--nodes',
    nodes,
    '--port',
    '0',
    '--view-max-age',
    '20',
    '--timeout',
    '30000',
  ]);
  const ask = async (): Promise<Answer> => {
    const response = await fetch(`${broker.said}api/search?q=stone&k=100`);
    return (await response.json()) as Answer;
  };
  const alone = await quarry(['search', '--data', data, '--json', '--top', '100', 'stone']);
  const [expected] = objectsOf<Answer>(alone);
  const whole = await ask();
  assert.deepEqual(whole.hits, expected?.hits);
  assert.equal(whole.hits.length, DOCUMENT_COUNT);
  assert.deepEqual([whole.partial, whole.shards.ok, whole.shards.total], [false, 4, 4]);

  victim.running.kill('SIGKILL');
  await victim.ended;
  let partial: Answer | undefined;
  await until(async () => {
    partial = await ask();
    return partial.partial;
  }, 'an answer is partial');
  assert.deepEqual(partial?.shards, { total: 4, ok: 3, truncated: 0, failed: 1, timedOut: 0 });
  assert.equal(partial?.total.relation, 'gte');
  assert.ok((partial?.coverage.docs ?? 0) < DOCUMENT_COUNT && partial?.coverage.total === DOCUMENT_COUNT);
  assert.equal(partial?.hits.length, partial?.coverage.docs);

  const status = await quarry(['status', '--nodes', nodes, '--json']);
  assert.equal(status.status, 1);
  assert.deepEqual(
    objectsOf<{ node: string; ready: boolean }>(status).map(({ node, ready }) => [node, ready]),
    servers.map(({ said }) => [said, said !== victim.said]),
  );

  await shard('1', victim.said.split(':')[1]);
  await until(async () => !(await ask()).partial, 'answers are whole again');
  assert.deepEqual((await ask()).hits, expected?.hits);
  const ready = await quarry(['status', '--nodes', nodes]);
  assert.equal(ready.status, 0);
  assert.match(ready.stdout, /ready: generation 1, epoch \d+, shards 0 2 of 4, \d+ documents/);

  const hasty = await start(context, ['broker', '--nodes', nodes, '--port', '0', '--timeout', '1000']);
  const stopped = servers[2];
  assert.ok(stopped !== undefined);
  const askHastily = async (): Promise<Answer> => {
    const response = await fetch(`${hasty.said}api/search?q=stone&k=99`);
    return (await response.json()) as Answer;
  };
  await until(async () => (await askHastily()).missing.length === 0, 'all shards are known');
  stopped.running.kill('SIGSTOP');
  let missed: Answer | undefined;
  await until(async () => {
    missed = await askHastily();
    // A query that came before the stop may be in the cache.
    return missed.partial;
  }, 'an answer misses the stopped server');
  assert.deepEqual(missed?.missing, [{ shard: 3, status: 'timedOut' }]);
  assert.equal(missed?.hits.length, missed?.coverage.docs);
  stopped.running.kill('SIGCONT');
  await until(async () => (await askHastily()).missing.length === 0, 'the server is back by itself');
  hasty.running.kill('SIGTERM');
  assert.equal(await hasty.ended, 0);

  servers[0]?.running.kill('SIGTERM');
  assert.equal(await servers[0]?.ended, 0, 'drained');
  broker.running.kill('SIGTERM');
  assert.equal(await broker.ended, 0);
});

test('shard and broker refuse what makes no sense', async (context) => {
  const data = await makeIndex(context);
  assertRefused(await quarry(['shard', '--data', data, '--shards', '7']), {
    status: 2,
    says: /no shard 7.*has 4/,
  });
  assertRefused(await quarry(['shard', '--data', data, '--shards', 'a']), { status: 2, says: /"a" is none/ });
  assertRefused(await quarry(['shard', '--data', data, '--host', '192.0.2.1']), {
    status: 1,
    says: /cannot listen/,
  });
  assertRefused(await quarry(['broker']), { status: 2, says: /--nodes/ });
  assertRefused(await quarry(['broker', '--nodes', 'nonsense']), { status: 2, says: /HOST:PORT/ });
});
