// Made test/golden/segment-v3 once, from a build of the version that wrote it: node test/golden/make-segment-v3.mjs
// Never run it again for that folder: a reader of any later version must read it or say that it is too old.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openIndexWriter } from '../../dist/shards/index.js';

const folder = fileURLToPath(new URL('segment-v3', import.meta.url));
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
