import { currentGeneration, openGeneration } from '../../shards/index.ts';

/** Documents that must be there, by URL, each with its version. */
export type Contents = ReadonlyMap<string, number>;

const TITLE_PREFIX = 'version ';

/** A document's title tells its version. */
export const titleOf = (version: number): string => `${TITLE_PREFIX}${version}`;

/** The live documents of the index in force; a URL that is there twice is a fault. */
export const readContents = async (folder: string, faults: string[]): Promise<Contents> => {
  const contents = new Map<string, number>();
  if ((await currentGeneration(folder)) === undefined) return contents;
  const generation = await openGeneration(folder);
  try {
    for (const segment of generation.shards.flat()) {
      for (let doc = 0; doc < segment.docCount; doc += 1) {
        if (segment.deletes?.has(doc) === true) continue;
        const { url, title } = segment.stored(doc);
        if (contents.has(url)) faults.push(`${url} is there twice`);
        contents.set(url, Number(title.replace(TITLE_PREFIX, '')));
      }
    }
  } finally {
    generation.close();
  }
  return contents;
};

/** Whether both hold the same documents in the same versions. */
export const isSame = (a: Contents, b: Contents): boolean =>
  a.size === b.size && [...a].every(([url, version]) => b.get(url) === version);

/** What is not as it was promised, in words. */
export const differences = (found: Contents, wanted: Contents): string[] => {
  const urls = new Set([...found.keys(), ...wanted.keys()]);
  const differing = [...urls].filter((url) => found.get(url) !== wanted.get(url));
  return differing.map((url) => `${url} has version ${found.get(url)}, promised was ${wanted.get(url)}`);
};
