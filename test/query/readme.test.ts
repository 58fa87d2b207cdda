import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { WARNING_CODES } from '../../query/language/warnings.ts';

it('query/README.md lists every warning, and none that does not exist', () => {
  const readme = readFileSync(new URL('../../../query/README.md', import.meta.url), 'utf8');
  const table = /\| warning [\s\S]*?\n\n/.exec(readme)?.[0] ?? '';
  const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);
  assert.deepEqual(new Set(listed), new Set<string | undefined>(WARNING_CODES));
});
