import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { builtProgram } from '../../paths.ts';

const linesOf = (input: NodeJS.ReadableStream): AsyncIterable<string> =>
  createInterface({ input, crlfDelay: Infinity });

/** Each text in turn as `quarry inspect analyze` prints it, in a process of its own. */
async function* analysed<Row>(texts: AsyncIterable<string>, options: readonly string[]): AsyncGenerator<Row> {
  const words = [builtProgram('quarry'), 'inspect', 'analyze', ...options, '--json'];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  async function* cases(): AsyncGenerator<string> {
    for await (const text of texts) yield `${JSON.stringify({ text })}\n`;
  }
  const feeding = pipeline(Readable.from(cases()), child.stdin);
  for await (const line of linesOf(child.stdout)) yield JSON.parse(line) as Row;
  await feeding;
  await ended;
}

/** Terms of each text in turn. */
async function* termsOf(texts: AsyncIterable<string>, analyzer: string): AsyncGenerator<readonly string[]> {
  const options = ['--analyzer', analyzer, '--terms'];
  for await (const { terms } of analysed<{ readonly terms: string[] }>(texts, options)) yield terms;
}

const readQueries = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');

interface Analysis {
  readonly tokens: readonly { readonly term: string; readonly position: number }[];
}

/**
 * Queries that every engine reads alike, as they were typed: no word twice in OR and AND; as a phrase at least two words,
 * and no stop word between them, whose gap the peers' programs close and we keep.
 */
export const queriesReadAlike = async (
  file: string,
  analyzer: string,
): Promise<{ readonly words: readonly string[]; readonly phrases: readonly string[] }> => {
  const texts = await readQueries(file);
  const words: string[] = [];
  const phrases: string[] = [];
  let next = 0;
  for await (const { tokens } of analysed<Analysis>(Readable.from(texts), ['--analyzer', analyzer])) {
    const text = texts[next++] ?? '';
    const first = tokens[0]?.position ?? 0;
    if (new Set(tokens.map(({ term }) => term)).size === tokens.length) words.push(text);
    const isTight = tokens.every(({ position }, index) => position === first + index);
    if (isTight && tokens.length > 1) phrases.push(text);
  }
  return { words, phrases };
};

const tsvFields = (line: string): readonly [id: string, title: string, text: string] => {
  const [id = '', title = '', text = ''] = line.split('\t');
  return [id, title, text];
};

/** Writes the corpus (id, title, text) once more with its terms in place of the text and without title. */
export const dumpCorpus = async (from: string, to: string, analyzer: string): Promise<void> => {
  const ids: string[] = [];
  async function* texts(): AsyncGenerator<string> {
    for await (const line of linesOf(createReadStream(from))) {
      const [id, title, text] = tsvFields(line);
      ids.push(id);
      yield `${title}\n${text}`;
    }
  }
  async function* rows(): AsyncGenerator<string> {
    let next = 0;
    for await (const terms of termsOf(texts(), analyzer))
      yield `${ids[next++] ?? ''}\t\t${terms.join(' ')}\n`;
  }
  await pipeline(Readable.from(rows()), createWriteStream(to));
};

/** Tokens of each text of a dumped corpus in turn. */
export async function* readTokens(file: string): AsyncGenerator<readonly string[]> {
  for await (const line of linesOf(createReadStream(file))) {
    const [, , text] = tsvFields(line);
    yield text.split(' ');
  }
}

const oneOfEach = (values: readonly string[]): string[] => [...new Set(values)];

/**
 * Writes the queries once more as terms, each query once. Peers count a word that stands twice in an OR or AND query
 * once and we count it twice, so that all words are different there.
 */
export const dumpQueries = async (
  from: string,
  to: { readonly words: string; readonly phrases: string },
  analyzer: string,
): Promise<void> => {
  const texts = await readQueries(from);
  const cut: (readonly string[])[] = [];
  for await (const terms of termsOf(Readable.from(texts), analyzer)) cut.push(terms);
  const lines = (queries: readonly string[]): string =>
    oneOfEach(queries.filter((query) => query !== ''))
      .map((query) => `${query}\n`)
      .join('');
  await writeFile(to.words, lines(cut.map((terms) => oneOfEach(terms).join(' '))));
  await writeFile(to.phrases, lines(cut.filter(({ length }) => length > 1).map((terms) => terms.join(' '))));
};
