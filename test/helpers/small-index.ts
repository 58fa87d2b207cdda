import { join } from 'node:path';
import { publishStatistics } from '../../shards/statistics/publish-statistics.ts';
import type { IndexDocument } from '../../shards/values/document.ts';
import { type FieldText } from '../../shards/values/fields.ts';
import { trustNormalUrl } from '../../shards/values/ids.ts';
import { openIndexWriter } from '../../shards/writer/index-writer.ts';

export interface SmallPage {
  readonly url: string;
  readonly title?: string;
  readonly text: string;
  readonly anchor?: string;
  readonly lang?: string;
  readonly staticScore?: number;
}

export interface SmallIndex {
  readonly shardsFolder: string;
  readonly statsFolder: string;
}

const asDocument = ({
  url,
  title = '',
  text,
  anchor,
  lang = 'en',
  staticScore = 0,
}: SmallPage): IndexDocument => {
  const fields: FieldText[] = [
    { field: 'title', text: title },
    { field: 'body', text },
  ];
  if (anchor !== undefined) fields.push({ field: 'anchor', text: anchor });
  return {
    url: trustNormalUrl(url),
    title,
    fields,
    storedText: text,
    lang,
    type: 'text/html',
    fetchedAtMs: 1000,
    staticScore,
  };
};

export interface SmallIndexOptions {
  readonly shardCount?: number;
  /** Small, to make several segments of a shard. */
  readonly memoryBytes?: number;
}

/** Writes a generation with its epoch under `folder`, beside earlier ones. */
export const writeSmallIndex = async (
  folder: string,
  pages: readonly SmallPage[],
  { shardCount = 2, memoryBytes }: SmallIndexOptions = {},
): Promise<SmallIndex> => {
  const index = { shardsFolder: join(folder, 'shards'), statsFolder: join(folder, 'stats') };
  const limit = memoryBytes === undefined ? {} : { memoryBytes };
  const writer = await openIndexWriter({
    folder: index.shardsFolder,
    shardCount,
    analyser: 'default',
    rebuild: true,
    ...limit,
  });
  for (const page of pages) await writer.add(asDocument(page));
  await writer.commit();
  await writer.close();
  await publishStatistics(index);
  return index;
};
