import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ALIASES_FORMAT,
  decodeAliases,
  readAliases,
  writeAliases,
} from '../../../shards/aliases/aliases-file.ts';
import { type NormalUrl, openSealed, sealFile, trustNormalUrl } from '../../../shards/index.ts';
import { workedExample } from '../../helpers/format-example.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';

const url = fc.webUrl({ withQueryParameters: true }).map(trustNormalUrl);

test('aliases are read back equal, whatever their order', async (context) => {
  const file = join(await tempFolder(context), 'aliases');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(url, url), { maxLength: 30 }), async (pairs) => {
      const aliases = new Map(pairs);
      await writeAliases(file, aliases);
      const read = await readAliases(file);
      assert.deepEqual(Object.fromEntries(read), Object.fromEntries(aliases));
      const bytes = await readFile(file);
      await writeAliases(file, new Map([...aliases].reverse()));
      assert.deepEqual(await readFile(file), bytes);
    }),
    { numRuns: 30 },
  );
});

test('the worked example of FORMAT.md', async (context) => {
  const file = join(await tempFolder(context), 'aliases');
  const aliases = new Map(
    [
      ['http://a/x', 'http://a/'],
      ['http://a/old', 'http://a/'],
    ].map(([from, to]) => [from as NormalUrl, to as NormalUrl]),
  );
  await writeAliases(file, aliases);
  const bytes = await readFile(file);
  const { body } = openSealed(bytes, ALIASES_FORMAT, 'aliases');
  assert.deepEqual(Buffer.from(body), Buffer.from(workedExample('shards/aliases/FORMAT.md')));
});

test('a body with a right checksum and a wrong content is refused', () => {
  const example = workedExample('shards/aliases/FORMAT.md');
  const decode = (body: Uint8Array): unknown =>
    decodeAliases(Buffer.concat(sealFile(ALIASES_FORMAT, [body])), 'aliases');
  decode(example);
  for (let index = 0; index < example.length; index += 1) {
    assert.throws(() => decode(example.subarray(0, index)), { code: 'SHARDS_READ_OVERRUN' });
  }
  assert.throws(() => decode(Buffer.concat([example, Buffer.alloc(1)])), { code: 'SHARDS_FILE_CORRUPT' });
  const wrongIndex = Uint8Array.from(example);
  wrongIndex[wrongIndex.length - 1] = 7;
  assert.throws(() => decode(wrongIndex), /found document 7, expected one below 1/);
});
