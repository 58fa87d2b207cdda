import type { JsDocument, JsEngine } from './js-engine.ts';
import { loadPeer } from './load-peer.ts';

/** What is used of MiniSearch 7. */
interface MiniSearch {
  addAll(documents: readonly JsDocument[]): void;
  search(query: string, options: { readonly combineWith: 'OR' | 'AND' }): { readonly id: string }[];
}
type MiniSearchClass = new (options: { readonly fields: readonly string[] }) => MiniSearch;

/** MiniSearch with its defaults over title and text. It returns all matches, scored and sorted; it has no phrases. */
export const createMiniSearch = (): JsEngine => {
  const engine = new (loadPeer<MiniSearchClass>('minisearch'))({ fields: ['title', 'text'] });
  return {
    index: (documents) => engine.addAll(documents),
    modes: ['or', 'and'],
    search: (query, mode, k) => {
      const found = engine.search(query, { combineWith: mode === 'or' ? 'OR' : 'AND' });
      return found.slice(0, k).map(({ id }) => id);
    },
  };
};
