import { fileURLToPath } from 'node:url';
import { verifyGeneration } from '../../shards/index.ts';
import { jsonLines, runProgram } from '../program.ts';
import { type Contents, differences, isSame, readContents } from './contents.ts';
import { type Changes, type Said, urlOfDocument, type WritingTask } from './writing-child.ts';

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
