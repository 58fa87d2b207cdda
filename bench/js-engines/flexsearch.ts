import type { JsEngine } from './js-engine.ts';
import { loadPeer } from './load-peer.ts';

interface SearchOptions {
  readonly limit: number;
  /** Also documents that lack some of the words. */
  readonly suggest: boolean;
}

/** What is used of FlexSearch 0.8. */
interface FlexSearch {
  readonly Index: new (options: {
    readonly tokenize: 'strict';
  }) => {
    add(id: number, text: string): void;
    search(query: string, options: SearchOptions): number[];
  };
}

/** FlexSearch's index over title and text as one; whole words, as the other engines have them. It has no phrases. */
export const createFlexSearch = (): JsEngine => {
  const engine = new (loadPeer<FlexSearch>('flexsearch').Index)({ tokenize: 'strict' });
  const ids: string[] = [];
  return {
    index: (documents) => {
      for (const { id, title, text } of documents) engine.add(ids.push(id) - 1, `${title}\n${text}`);
    },
    modes: ['or', 'and'],
    search: (query, mode, k) => {
      const found = engine.search(query, { limit: k, suggest: mode === 'or' });
      return found.map((number) => ids[number] ?? '');
    },
  };
};
