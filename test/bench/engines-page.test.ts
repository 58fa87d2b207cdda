import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enginesPage } from '../../bench/js-engines/engines-page.ts';
import type { Measurement } from '../../bench/report.ts';

const machine = {
  cpu: 'a processor',
  cores: 2,
  memoryBytes: 8e9,
  system: 'linux 6',
  node: '20.1.0',
  quarry: '0.1.0',
  commit: '',
};

const measured = (subject: string, metric: string, value: number): Measurement => ({
  bench: 'js-engines',
  subject,
  metric,
  values: [value],
  context: { documents: 20_000 },
});

test('the page of engines has a row each, a dash for a mode that one has not, and the limit that one reached', () => {
  const page = enginesPage(
    [
      measured('Quarry', 'build, CPU s', 12.34),
      measured('Quarry', 'build, s', 7),
      measured('Quarry', 'memory to serve, MB', 1234.5),
      measured('Quarry', 'µs/query or, mean', 99.6),
      measured('Quarry', 'µs/query phrase, mean', 20),
      measured('Other 1', 'build, CPU s', 1),
      measured('Other 1', 'overlap with ours or', 0.456),
      { bench: 'js-engines', subject: 'Other 2', metric: 'not done after 10 minutes', values: [Number.NaN] },
    ],
    machine,
  );
  assert.deepEqual(
    page.split('\n').filter((line) => line.startsWith('|')),
    [
      '| engine | build, CPU s | build, s | memory, MB | OR, µs | AND, µs | PHRASE, µs | OR, shared | AND, shared | PHRASE, shared |',
      '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      '| Quarry | 12.3 | 7.0 | 1,235 | 100 | – | 20 | – | – | – |',
      '| Other 1 | 1.0 | – | – | – | – | – | 0.46 | – | – |',
      '| Other 2 | not done after 10 minutes |  |  |  |  |  |  |  |  |',
    ],
  );
  assert.match(page, /^# .*\?\n\n20,000 pages/);
});
