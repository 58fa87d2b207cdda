import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeEpoch } from '../../../shards/statistics/epoch-file.ts';
import { projectPath, workedExample } from '../../helpers/format-example.ts';

test('FORMAT.md - the worked example is the golden file and decodes as it says', () => {
  const bytes = workedExample('shards/statistics/FORMAT.md');
  assert.deepEqual(Buffer.from(bytes), readFileSync(projectPath('test/golden/epoch-v2/000001.epoch')));
  const statistics = decodeEpoch(bytes, 'example');
  assert.equal(statistics.epoch, 1);
  assert.equal(statistics.docCount, 1);
  assert.equal(statistics.highTierThreshold, 0);
  assert.equal(statistics.averageLengths.body, 2);
  assert.deepEqual(statistics.languages, [{ lang: 'en', docCount: 1 }]);
  assert.equal(statistics.documentFrequency('stone'), 1);
});
