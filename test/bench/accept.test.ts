import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isIndexedType, numberNamed, summaryOf } from '../../bench/accept/outputs.ts';
import { wordsOf } from '../../bench/accept/page-words.ts';
import { createVerdicts } from '../../bench/accept/verdicts.ts';
import { runProgram } from '../../bench/program.ts';

const main = fileURLToPath(new URL('../../bench/accept/main.js', import.meta.url));
const bench = fileURLToPath(new URL('../../bench/main.js', import.meta.url));

describe('acceptance runner', () => {
  it('prints a line per claim and counts the failed ones', () => {
    const lines: string[] = [];
    const verdicts = createVerdicts((line) => lines.push(line), 'crawl');
    verdicts.claim('it ends', true, 'status 0');
    verdicts.claim('all pages', false, '3 of 4');
    assert.deepEqual(lines, ['PASS  crawl: it ends: status 0', 'FAIL  crawl: all pages: 3 of 4']);
    assert.equal(verdicts.failedCount(), 1);
    assert.equal(verdicts.count(), 2);
  });

  it('judges a figure by goal and minimum, whichever way is good', () => {
    const lines: string[] = [];
    const { measure, failedCount } = createVerdicts((line) => lines.push(line), 'times');
    const ratio = { goal: 2.5, minimum: 1.6 };
    measure('OR', 2.5, ratio, 'a');
    measure('OR', 1.6049, ratio, 'b');
    measure('OR', 1.599, ratio, 'c');
    const share = { goal: 0.95, minimum: 1.1, better: 'down' } as const;
    measure('bytes', 0.9, share, 'd');
    measure('bytes', 1.1, share, 'e');
    measure('bytes', 1.11, share, 'f');
    measure('bytes', Number.NaN, share, 'g');
    assert.deepEqual(lines, [
      'PASS  times: OR: 2.5 (goal 2.5 reached); a',
      'PASS  times: OR: 1.6 (minimum 1.6 reached, goal 2.5 not); b',
      'FAIL  times: OR: 1.6 (minimum 1.6 missed); c',
      'PASS  times: bytes: 0.9 (goal 0.95 reached); d',
      'PASS  times: bytes: 1.1 (minimum 1.1 reached, goal 0.95 not); e',
      'FAIL  times: bytes: 1.11 (minimum 1.1 missed); f',
      'FAIL  times: bytes: NaN (minimum 1.1 missed); g',
    ]);
    assert.equal(failedCount(), 3);
  });

  it('finds a number by name at any depth, the outermost first', () => {
    assert.equal(numberNamed([{ index: { documents: 3 } }], ['docs', 'documents']), 3);
    assert.equal(numberNamed({ documents: 1, index: { documents: 3 } }, ['documents']), 1);
    assert.equal(numberNamed({ documents: 'many' }, ['documents']), undefined);
    assert.equal(numberNamed(null, ['documents']), undefined);
  });

  it('takes the last summary of a command that prints JSON lines', () => {
    const row = (asked: number): string =>
      JSON.stringify({ kind: 'summary', crawl: { asked, byStatus: {} } });
    assert.equal(summaryOf(`${row(1)}\n${row(2)}\n{"kind":"page"}\n`)?.crawl.asked, 2);
    assert.equal(summaryOf('no JSON\n'), undefined);
  });

  it('reads title and visible words, white space apart', () => {
    const html = '<title>A  b</title><body><script>no</script><p>C</p>\n d<style>no</style>';
    assert.equal(wordsOf('text/html; charset=utf-8', html), 'AbCd');
    assert.equal(wordsOf('text/plain', ' <p> a\n'), '<p>a');
  });

  it('knows which media types are indexed', () => {
    assert.ok(isIndexedType('text/plain') && isIndexedType('text/html'));
    assert.ok(!isIndexedType('image/png') && !isIndexedType(undefined));
  });

  it('refuses names that it does not know, with those that it does', async () => {
    const unknown = await runProgram(process.execPath, [main, 'nothing']);
    assert.equal(unknown.status, 2);
    assert.equal(unknown.stderr, 'no acceptance called "nothing"; there are: path, index\n');
    const step = await runProgram(process.execPath, [main, 'path', '--only', 'crawl,dance']);
    assert.equal(step.status, 2);
    assert.match(
      step.stderr,
      /no step called "dance"; there are: crawl, ranking, sharding, browser, package, clone/,
    );
    const option = await runProgram(process.execPath, [main, 'path', '--fast']);
    assert.equal(option.status, 2);
    assert.match(option.stderr, /--fast.*\(options: --only, --work, --runs, --rounds\)/s);
  });

  it('says what is missing when there is no shared folder', async () => {
    const env = { QUARRY_SHARED: '/nonexistent' };
    const result = await runProgram(process.execPath, [bench, 'crawl', '--only', 'quarry'], { env });
    assert.equal(result.status, 2);
    assert.match(result.stderr, /^\/nonexistent\/localweb\/\S+ is not there; set QUARRY_SHARED /);
    const unknown = await runProgram(process.execPath, [bench, 'jumping']);
    assert.equal(
      unknown.stderr,
      'no benchmark called "jumping"; there are: crawl, js-engines, query, remote, statistics, tiers\n',
    );
  });
});
