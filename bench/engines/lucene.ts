import { measureUsage } from '../program.ts';
import type { BuiltIndex, Engine, QueryFigures } from './engine.ts';
import { onlyRow, peerProgram, runPinned } from './run.ts';

export interface LuceneOptions {
  /** Takes texts that are tokens already, white space between; EnglishAnalyzer cuts them otherwise. */
  readonly isPreAnalysed?: boolean;
}

interface IndexRow {
  readonly docs: number;
  readonly bytes: number;
}

/** Lucene 10.6, as peers/install.sh lays it out. @throws BENCH_PEER_MISSING */
export const luceneEngine = ({ isPreAnalysed = false }: LuceneOptions = {}): Engine => {
  const program = peerProgram('lucene', 'lucene-bench');
  const analysis = isPreAnalysed ? ['whitespace'] : [];
  return {
    name: 'Lucene 10.6',
    index: async (corpus, folder): Promise<BuiltIndex> => {
      const words = ['index', corpus.tsvFile, folder, '1', ...analysis];
      const { stdout, ...usage } = await measureUsage(program, words);
      const { docs, bytes } = onlyRow<IndexRow>(program, stdout);
      return { ...usage, documents: docs, bytes: new Map([['', bytes]]) };
    },
    query: async (folder, { queriesFile, mode, rounds, k, topsFile }) => {
      const tops = topsFile === undefined ? [] : [topsFile];
      const words = ['query', folder, queriesFile, mode, String(rounds), String(k), ...tops, ...analysis];
      const { stdout } = await runPinned([program, ...words]);
      return onlyRow<QueryFigures>(program, stdout);
    },
  };
};
