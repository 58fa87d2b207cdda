import { measureUsage } from '../program.ts';
import type { BuiltIndex, Engine, QueryFigures } from './engine.ts';
import { onlyRow, peerProgram, runPinned } from './run.ts';

interface IndexRow {
  readonly docs: number;
  readonly bytes: number;
}

/** Tantivy 0.27, as peers/install.sh lays it out. @throws BENCH_PEER_MISSING */
export const tantivyEngine = (): Engine => {
  const program = peerProgram('tantivy', 'tantivy', 'release', 'tantivy-bench');
  return {
    name: 'Tantivy 0.27',
    index: async (corpus, folder): Promise<BuiltIndex> => {
      const { stdout, ...usage } = await measureUsage(program, ['index', corpus.tsvFile, folder]);
      const { docs, bytes } = onlyRow<IndexRow>(program, stdout);
      return { ...usage, documents: docs, bytes: new Map([['', bytes]]) };
    },
    query: async (folder, { queriesFile, mode, rounds, k, topsFile }) => {
      const tops = topsFile === undefined ? [] : [topsFile];
      const words = ['query', folder, queriesFile, mode, String(rounds), String(k), ...tops];
      const { stdout } = await runPinned([program, ...words]);
      return onlyRow<QueryFigures>(program, stdout);
    },
  };
};
