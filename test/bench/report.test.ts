import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatReport, median, thisMachine } from '../../bench/report.ts';

const machine = {
  cpu: 'Some CPU',
  cores: 2,
  memoryBytes: 1e9,
  system: 'linux 6',
  node: '20.0.0',
  quarry: '0.1.0',
  commit: 'abc',
};
const measurement = {
  bench: 'crawl',
  subject: 'quarry',
  metric: 'pages/s',
  values: [120, 80, 100],
  context: { concurrency: 32 },
};

describe('report', () => {
  it('takes the median', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 2, 3]), 2.5);
    assert.equal(median([7]), 7);
  });

  it('gives one JSON object per measurement, with spread and machine', () => {
    const [line = '', ...rest] = formatReport([measurement], machine, true).trimEnd().split('\n');
    assert.deepEqual(rest, []);
    assert.deepEqual(JSON.parse(line), {
      bench: 'crawl',
      subject: 'quarry',
      metric: 'pages/s',
      median: 100,
      min: 80,
      max: 120,
      runs: 3,
      context: { concurrency: 32 },
      machine,
    });
  });

  it('gives people a table under the machine', () => {
    const [head = '', row = ''] = formatReport([measurement], machine, false).split('\n');
    assert.equal(head, 'Some CPU, 2 cores, Node.js 20.0.0, Quarry 0.1.0 abc');
    assert.match(row, /^quarry +pages\/s +100 +\(80 to 120, 3 runs\) concurrency 32$/);
  });

  it('knows this machine', () => {
    const { cores, node, quarry } = thisMachine();
    assert.ok(cores >= 1);
    assert.equal(node, process.versions.node);
    assert.match(quarry, /^\d+\.\d+\.\d+/);
  });
});
