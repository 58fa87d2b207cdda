import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGeneratedWeb } from '../helpers/generated-web.ts';
import { crawlAndIndex, quarry } from '../helpers/quarry-program.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

describe('one settings file for all commands', () => {
  it('lists seeds, stops a crawl at its limit, and serves status and search', async (context) => {
    const folder = await tempFolder(context);
    await using generated = await startGeneratedWeb({ pageCount: 12 });
    const config = join(folder, 'settings.json');
    writeFileSync(
      config,
      JSON.stringify({
        seeds: generated.seeds,
        data: join(folder, 'data'),
        'allow-private': true,
        delay: 0,
        politeness: 0,
        concurrency: 1,
        maxPages: 3,
        top: 1,
        quiet: true,
      }),
    );
    const crawled = await crawlAndIndex(['--config', config]);
    assert.equal(crawled.status, 0, crawled.stderr);
    const status = await quarry(['status', '--config', config]);
    assert.equal(status.status, 0, status.stderr);
    assert.match(status.stdout, /^crawl {6}stopped at a limit: run the same command again/m);
    const found = await quarry(['search', '--config', config, 'tree']);
    assert.equal(found.status, 0, found.stderr);
    const rest = await crawlAndIndex(['--config', config, '--max-pages', '0']);
    assert.equal(rest.status, 0, rest.stderr);
    assert.match((await quarry(['status', '--config', config])).stdout, /^crawl {6}finished; round/m);
  });

  for (const [name, run] of [
    ['crawl-and-index', (words: readonly string[]) => crawlAndIndex([...words])],
    ['quarry', (words: readonly string[]) => quarry([...words])],
    ['quarry search', (words: readonly string[]) => quarry(['search', ...words])],
  ] as const) {
    it(`${name} -h is its --help`, async () => {
      const [short, long] = [await run(['-h']), await run(['--help'])];
      assert.equal(short.status, 0, short.stderr);
      assert.equal(short.stdout, long.stdout);
      assert.match(short.stdout, /--help/);
    });
  }
});
