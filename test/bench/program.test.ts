import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLines, runProgram, runSuccessfully } from '../../bench/program.ts';

const node = (script: string, onStart?: Parameters<typeof runProgram>[2]) =>
  runProgram(process.execPath, ['-e', script], onStart);

describe('programs that are measured', () => {
  it('give status, words and time', async () => {
    const result = await node('console.log("out"); console.error("err"); process.exitCode = 3');
    assert.equal(result.status, 3);
    assert.equal(result.stdout, 'out\n');
    assert.equal(result.stderr, 'err\n');
    assert.ok(result.wallMs > 0);
  });

  it('give the peak of the memory that they held', { skip: process.platform !== 'linux' }, async () => {
    const wait = 'setTimeout(() => {}, 400);';
    const small = await node(wait);
    const large = await node(`globalThis.kept = Buffer.alloc(200e6, 1); ${wait}`);
    assert.ok(large.peakBytes - small.peakBytes > 150e6, `${large.peakBytes} after ${small.peakBytes}`);
  });

  it('can be sent a signal; a killed one has a status as a shell says it', async () => {
    const forever = 'setInterval(() => {}, 1000)';
    const killed = await node(forever, { onStart: ({ kill }) => kill('SIGKILL') });
    assert.equal(killed.status, 137);
    const handled =
      'process.on("SIGINT", () => process.exit(130)); console.log("ready"); setInterval(() => {}, 1000)';
    const interrupted = await node(handled, {
      onStart: ({ kill, output }) => {
        const timer = setInterval(() => {
          if (!output().includes('ready')) return;
          clearInterval(timer);
          kill('SIGINT');
        }, 20);
      },
    });
    assert.equal(interrupted.status, 130);
  });

  it('that must succeed and do not are an error with their last words', async () => {
    await assert.rejects(
      runSuccessfully(process.execPath, ['-e', 'console.error("no disk"); process.exit(1)']),
      {
        code: 'BENCH_PROGRAM_FAILED',
        message: /ended with status 1: no disk$/,
      },
    );
  });

  it('print JSON lines among other words', () => {
    assert.deepEqual(jsonLines('hello\n{"a":1}\n\n{"b":2}\n'), [{ a: 1 }, { b: 2 }]);
  });
});
