import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { peerProgram } from '../../engines/run.ts';
import { projectRoot } from '../../paths.ts';
import { runSuccessfully } from '../../program.ts';

/** The Java that the peer was installed with: a machine's default one may be too old for it. */
const javaOf = async (program: string): Promise<string> => {
  const script = await readFile(program, 'utf8');
  return /^exec "(?<java>[^"]+)"/m.exec(script)?.groups?.['java'] ?? 'java';
};

/**
 * Writes the corpus (id, title, text) once more with the terms of Lucene's EnglishAnalyzer in place of the text; keeps the file
 * that is there. @throws BENCH_PEER_MISSING, BENCH_PROGRAM_FAILED
 */
export const dumpLuceneTokens = async (from: string, to: string): Promise<void> => {
  if (existsSync(to)) return;
  const program = peerProgram('lucene', 'lucene-bench');
  const source = join(projectRoot, 'bench/engines/LuceneTokens.java');
  const unfinished = `${to}.unfinished`;
  const words = ['-cp', join(dirname(program), 'lucene/*'), source, from, unfinished];
  await runSuccessfully(await javaOf(program), words);
  await rename(unfinished, to);
};
