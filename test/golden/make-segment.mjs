// Made test/golden/segment-v3, from a build of the version that wrote it: node test/golden/make-segment.mjs segment-v3
// For another version give another folder: a reader of any later version must read a golden one or say that it is too old.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openIndexWriter } from '../../dist/shards/index.js';

const [, , name] = process.argv;
if (name === undefined) throw new Error('which folder? segment-v and the version of the format');
const folder = fileURLToPath(new URL(name, import.meta.url));
if (existsSync(folder)) throw new Error(`${folder} exists and is never made again`);

const writer = await openIndexWriter({ folder, shardCount: 1, analyser: 'default' });
for (let i = 0; i < 140; i += 1) {
  await writer.add({
    url: i === 0 ? 'id:first%20one' : `https://www.example.org/page/${i}`,
    title: `Page ${i}`,
    fields: [
      { field: 'title', text: `Page ${i}` },
      { field: 'body', text: i % 7 === 0 ? `granite and more granite ${i}` : `granite page ${i}` },
      ...(i % 10 === 0 ? [{ field: 'anchor', text: 'stone' }, { field: 'anchor', text: 'granite stone' }] : []),
    ],
    storedText: `Granite, page ${i}.`,
    lang: i % 2 === 0 ? 'en' : '',
    type: 'text/html',
    fetchedAtMs: 1_700_000_000_000 + i,
    staticScore: i * 1000,
  });
}
// Documents 0 and 139 of the segment: "id:…" is the first in order, page 99 the last.
for (const url of ['id:first%20one', 'https://www.example.org/page/99']) await writer.remove(url);
await writer.commit();
await writer.close();
process.stdout.write(`made ${join(folder, 'CURRENT')}\n`);
