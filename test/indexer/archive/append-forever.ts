import { openPageLogWriter } from '../../../indexer/index.ts';
import { pageOf } from './page-records.ts';

// A process to be killed: appends pages 0, 1, 2, … to the log of the folder in its argument, and after each sync
// prints how many records are safe.
const writer = await openPageLogWriter(process.argv[2] ?? '', { rollBytes: 20_000, bufferBytes: 3000 });
for (let next = writer.committed.recordCount; ; next += 1) {
  await writer.append(pageOf(`http://a.test/${next}`, `page ${next} `.repeat(next % 50)));
  if (next % 3 !== 0) continue;
  await writer.sync();
  process.stdout.write(`${writer.committed.recordCount}\n`);
}
