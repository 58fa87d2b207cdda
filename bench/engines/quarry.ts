import { join } from 'node:path';
import { builtProgram, projectRoot } from '../paths.ts';
import { measureUsage, type ProgramUsage } from '../program.ts';
import type { BuiltIndex, Corpus, Engine, QueryFigures } from './engine.ts';
import { bytesByEnding, onlyRow, runPinned } from './run.ts';

export interface QuarryOptions {
  readonly name: string;
  readonly analyzer: string;
  readonly scoring: 'default' | 'lucene-compat';
  /** `import`: as users index, with page log and all fields. `bare`: straight into a segment of one field, text not stored. */
  readonly way: 'import' | 'bare';
  /** Of a bare index: how many segments it has, and which documents are deleted again: each so many-th. */
  readonly worn?: { readonly segments: number; readonly deleteEvery: number };
}

/** What `quarry import --json` and write-index.ts print. */
interface IndexRow {
  readonly index: { readonly documents: number };
}

/** What of `quarry bench query --json` is more than other engines print. */
export interface QuarryFigures extends QueryFigures {
  readonly openMs: number;
  readonly peakBytes: number;
}

/** Enough for all documents of a measurement in one segment. */
const ONE_SEGMENT = ['--memory', '4G'];

const bareWords = ({ analyzer, worn }: QuarryOptions, corpus: Corpus, folder: string): string[] => {
  const program = join(projectRoot, 'dist/bench/engines/write-index.js');
  const { segments = 1, deleteEvery = 0 } = worn ?? {};
  const wear = ['--segments', String(segments), '--delete-every', String(deleteEvery)];
  return [program, '--corpus', corpus.tsvFile, '--data', folder, '--analyzer', analyzer, ...wear];
};

const importWords = ({ analyzer }: QuarryOptions, corpus: Corpus, folder: string): string[] => {
  const target = ['--data', folder, '--analyzer', analyzer, '--shards', '1', ...ONE_SEGMENT];
  return [builtProgram('quarry'), 'import', ...target, '--json', '--quiet', corpus.jsonlFile];
};

/** Our own engine, in processes of its own like any other. */
export const quarryEngine = (options: QuarryOptions) => {
  const { name, scoring } = options;
  const query: (...args: Parameters<Engine['query']>) => Promise<QuarryFigures> = async (folder, task) => {
    const { queriesFile, mode, k, rounds, topsFile } = task;
    const wanted = ['--queries', queriesFile, '--mode', mode, '-k', String(k), '--rounds', String(rounds)];
    const from = ['--data', folder, '--scoring', scoring, '--json'];
    const tops = topsFile === undefined ? [] : ['--tops', topsFile];
    const words = [process.execPath, builtProgram('quarry'), 'bench', 'query', ...from, ...wanted, ...tops];
    return onlyRow<QuarryFigures>('quarry bench query', (await runPinned(words)).stdout);
  };
  return {
    name,
    query,
    index: async (corpus: Corpus, folder: string): Promise<BuiltIndex> => {
      const wordsOf = options.way === 'bare' ? bareWords : importWords;
      const words = wordsOf(options, corpus, folder);
      const { stdout, ...usage }: ProgramUsage & { stdout: string } = await measureUsage(
        process.execPath,
        words,
      );
      const bytes = await bytesByEnding(join(folder, 'shards'));
      return { ...usage, documents: onlyRow<IndexRow>('quarry', stdout).index.documents, bytes };
    },
  } satisfies Engine;
};
