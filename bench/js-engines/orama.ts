import type { JsDocument, JsEngine } from './js-engine.ts';
import { loadPeer } from './load-peer.ts';

interface SearchOptions {
  readonly term: string;
  readonly limit: number;
  readonly properties: readonly string[];
  /** 1: documents with any of the words; 0: with all of them. */
  readonly threshold: number;
}

/** What is used of Orama 3. */
interface Orama {
  create(options: { readonly schema: Readonly<Record<string, string>> }): object;
  insertMultiple(engine: object, documents: readonly JsDocument[]): Promise<unknown>;
  search(
    engine: object,
    options: SearchOptions,
  ): Promise<{ readonly hits: readonly { readonly id: string }[] }>;
}

/** Orama with its defaults over title and text. It keeps the documents too; it has no phrases. */
export const createOrama = (): JsEngine => {
  const orama = loadPeer<Orama>('@orama/orama');
  const engine = orama.create({ schema: { title: 'string', text: 'string' } });
  return {
    index: async (documents) => void (await orama.insertMultiple(engine, documents)),
    modes: ['or', 'and'],
    search: async (term, mode, k) => {
      const threshold = mode === 'or' ? 1 : 0;
      const { hits } = await orama.search(engine, {
        term,
        limit: k,
        properties: ['title', 'text'],
        threshold,
      });
      return hits.map(({ id }) => id);
    },
  };
};
