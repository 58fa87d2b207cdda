import { fileURLToPath } from 'node:url';
import { currentGeneration, openGeneration, verifyGeneration } from '../../shards/index.ts';
import { jsonLines, runProgram } from '../program.ts';
import { type Changes, type Said, urlOfDocument, type WritingTask } from './writing-child.ts';

/** Documents that must be there, by URL, each with its version. */
export type Contents = ReadonlyMap<string, number>;

export interface KillOutcome {
  /** What the folder holds now. */
  readonly contents: Contents;
  /** Commits that the child was told are done. */
  readonly commits: number;
  /** Whether the commit that was under way at the kill is in force. */
  readonly isPendingIn: boolean;
  readonly nextVersion: number;
  /** What is not as it was promised; empty when all is well. */
  readonly faults: readonly string[];
}

const CHILD = fileURLToPath(new URL('./writing-child.js', import.meta.url));

const applied = (contents: Contents, changes: Changes): Map<string, number> => {
  const next = new Map(contents);
  for (const [document, version] of changes) {
    if (version === 0) next.delete(urlOfDocument(document));
    else next.set(urlOfDocument(document), version);
  }
  return next;
};

/** Lines that arrived whole. */
const saidBy = (stdout: string): Said[] => jsonLines<Said>(stdout.slice(0, stdout.lastIndexOf('\n') + 1));

/** The live documents of the index in force; a URL that is there twice is a fault. */
const readContents = async (folder: string, faults: string[]): Promise<Contents> => {
  const contents = new Map<string, number>();
  if ((await currentGeneration(folder)) === undefined) return contents;
  const generation = await openGeneration(folder);
  try {
    for (const segment of generation.shards.flat()) {
      for (let doc = 0; doc < segment.docCount; doc += 1) {
        if (segment.deletes?.has(doc) === true) continue;
        const { url, title } = segment.stored(doc);
        if (contents.has(url)) faults.push(`${url} is there twice`);
        contents.set(url, Number(title.replace('version ', '')));
      }
    }
  } finally {
    generation.close();
  }
  return contents;
};

const isSame = (a: Contents, b: Contents): boolean =>
  a.size === b.size && [...a].every(([url, version]) => b.get(url) === version);

const differences = (found: Contents, wanted: Contents): string[] => {
  const urls = new Set([...found.keys(), ...wanted.keys()]);
  const differing = [...urls].filter((url) => found.get(url) !== wanted.get(url));
  return differing.map((url) => `${url} has version ${found.get(url)}, promised was ${wanted.get(url)}`);
};

/** Lets the child go on from `before`, kills it after `afterMs`, and compares what it left with what it said. */
export const killTrial = async (
  task: WritingTask,
  before: Contents,
  afterMs: number,
): Promise<KillOutcome> => {
  const { stdout, stderr, status } = await runProgram(process.execPath, [CHILD, JSON.stringify(task)], {
    onStart: ({ kill }) => void setTimeout(() => kill('SIGKILL'), afterMs),
  });
  const faults: string[] = status === 137 ? [] : [`the child ended with ${status}: ${stderr}`];
  let acknowledged: Contents = before;
  let pending: Contents = before;
  let commits = 0;
  let nextVersion = task.firstVersion;
  for (const said of saidBy(stdout)) {
    if (said.kind === 'committing') {
      pending = applied(acknowledged, said.changes);
      nextVersion += said.changes.length;
    } else {
      acknowledged = pending;
      commits += 1;
    }
  }
  const found = await readContents(task.folder, faults);
  const isPendingIn = pending !== acknowledged && isSame(found, pending);
  if (!isPendingIn) faults.push(...differences(found, acknowledged));
  if (found.size > 0) await verifyGeneration(task.folder);
  // Versions of a commit that nobody heard of must not come again.
  return { contents: found, commits, isPendingIn, nextVersion: nextVersion + 1000, faults };
};
