import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDiskFull, isMissing } from '../../../shards/index.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const withCode = (code: unknown): Error => Object.assign(new Error('failed'), { code });

test('an error says by its code what the system meant', async (context) => {
  const missing: unknown = await readFile(join(await tempFolder(context), 'nothing')).catch((error) => error);
  assert.equal(isMissing(missing), true);
  assert.equal(isDiskFull(missing), false);
  for (const code of ['ENOSPC', 'EDQUOT']) {
    assert.equal(isDiskFull(withCode(code)), true);
    assert.equal(isMissing(withCode(code)), false);
  }
});

test('what carries no such code is neither', () => {
  for (const value of [withCode('EACCES'), withCode(2), new Error('ENOENT'), { code: 'ENOENT' }, undefined]) {
    assert.equal(isMissing(value), false);
    assert.equal(isDiskFull(value), false);
  }
});
