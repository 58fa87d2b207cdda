import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { objectsOf, quarry } from '../helpers/quarry-program.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

interface Row {
  readonly kind?: string;
}

describe('--json and --quiet', () => {
  it('print objects, one a line, and nothing else anywhere', async (context) => {
    const folder = await tempFolder(context);
    const file = join(folder, 'documents.jsonl');
    const data = join(folder, 'data');
    const documents = ['one', 'two', 'three'].map((word, id) => ({ id, title: word, text: `${word} fish` }));
    writeFileSync(file, documents.map((document) => JSON.stringify(document)).join('\n'));
    const commands: readonly (readonly [rows: number, ...words: string[]])[] = [
      [1, 'import', file],
      [1, 'index', '--shards', '2'],
      [1, 'search', 'fish'],
      [1, 'search', 'nothing'],
      [1, 'search', '--explain', 'one'],
      [1, 'status'],
      [2, 'status', '--verify'],
      [3, 'export'],
      [3, 'export', '--fields', 'text,links,anchors,staticScore'],
      [1, 'search', '--help'],
    ];
    for (const [count, ...words] of commands) {
      const result = await quarry([...words, '--data', data, '--json', '--quiet']);
      assert.equal(result.status, 0, `${words.join(' ')}: ${result.stderr}`);
      assert.equal(result.stderr, '', words.join(' '));
      assert.equal(objectsOf<Row>(result).length, count, words.join(' '));
    }
    const words = await quarry(['search', '--data', data, '--quiet', 'fish']);
    assert.equal(words.stderr, '');
    assert.match(words.stdout, /3 pages in/);
  });

  it('holds in a settings file too', async (context) => {
    const folder = await tempFolder(context);
    const file = join(folder, 'documents.jsonl');
    writeFileSync(file, '{"id":1,"text":"fish"}\n');
    const settings = join(folder, 'settings.json');
    writeFileSync(
      settings,
      JSON.stringify({ json: true, quiet: true, data: join(folder, 'data'), shards: 3 }),
    );
    const result = await quarry(['import', '--config', settings, file]);
    assert.equal(result.stderr, '');
    const [row] = objectsOf<{ readonly index: { readonly shards: number } }>(result);
    assert.equal(row?.index.shards, 3);
    const wins = await quarry(['import', '--config', settings, '--shards', '2', file]);
    assert.equal(objectsOf<{ readonly index: { readonly shards: number } }>(wins)[0]?.index.shards, 2);
  });
});
