import type { Join } from '../engines/engine.ts';
import type { JsEngine } from './js-engine.ts';
import { loadPeer } from './load-peer.ts';

interface Statement {
  run(...values: readonly (number | string)[]): unknown;
  all(...values: readonly (number | string)[]): { readonly rowid: number }[];
  get(): { readonly bytes: number };
}

/** What is used of better-sqlite3 12. */
type Database = new (
  file: string,
) => {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
};

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;

const EXPRESSIONS: Readonly<Record<Join, (words: readonly string[]) => string>> = {
  or: (words) => words.map(quoted).join(' OR '),
  and: (words) => words.map(quoted).join(' AND '),
  phrase: (words) => quoted(words.join(' ')),
};

/** SQLite's FTS5 over title and text, Porter, contentless (texts are not stored), in memory, merged into one b-tree. */
export const createSqlite = (): JsEngine => {
  const database = new (loadPeer<Database>('better-sqlite3'))(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE pages USING fts5(title, text, content='', tokenize='porter unicode61')",
  );
  const select = database.prepare('SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?');
  const size = database.prepare(
    'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  );
  const ids: string[] = [];
  return {
    index: (documents) => {
      const insert = database.prepare('INSERT INTO pages(rowid, title, text) VALUES (?, ?, ?)');
      database.exec('BEGIN');
      for (const { id, title, text } of documents) insert.run(ids.push(id), title, text);
      database.exec('COMMIT');
      database.exec("INSERT INTO pages(pages) VALUES ('optimize')");
    },
    nativeBytes: () => size.get().bytes,
    modes: ['or', 'and', 'phrase'],
    search: (query, mode, k) => {
      const found = select.all(EXPRESSIONS[mode](query.split(' ')), k);
      return found.map(({ rowid }) => ids[rowid - 1] ?? '');
    },
  };
};
