import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseTops, type Tops } from '../../../query/index.ts';
import { docsTask } from '../../engines/corpus.ts';
import { type Corpus, JOINS, type Join } from '../../engines/engine.ts';
import { luceneEngine } from '../../engines/lucene.ts';
import { quarryEngine } from '../../engines/quarry.ts';
import type { StepContext } from '../verdicts.ts';
import { ensureIndex, type Subject } from './built-indexes.ts';
import { type ComparedQuery, compareTops, roundingOf } from './compare-tops.ts';
import { bareEngine } from './engines.ts';
import { dumpLuceneTokens } from './lucene-tokens.ts';
import { DIFFERENCES, TokenDifferences } from './token-differences.ts';
import { dumpCorpus, dumpQueries, queriesReadAlike, readTokens } from './token-stream.ts';

const K = 10;
/** Deep enough for most ties at rank ten; hundreds of pages may have one score. */
const PEER_DEPTH = 100;
const EVERY_DOCUMENT = 1_000_000;
const OWN_ANALYSIS_SHARE = 0.98;
const EXAMPLES = 5;
/** Of differing tokens, how many may be in no class. */
const UNCLASSIFIED_SHARE = 0.01;

/** The docs corpus and its queries as tokens that our analyser has cut. */
interface TokenTask {
  readonly corpus: Corpus;
  readonly queriesFile: (mode: Join) => string;
}

const tokenTask = async (context: StepContext): Promise<TokenTask> => {
  const { tsvFile, queriesFile } = docsTask();
  const folder = join(context.workFolder, 'tokens');
  await mkdir(folder, { recursive: true });
  const corpus = { name: 'token', jsonlFile: '', tsvFile: join(folder, 'corpus.tsv') };
  const files = { words: join(folder, 'words.txt'), phrases: join(folder, 'phrases.txt') };
  if (!existsSync(corpus.tsvFile)) {
    context.say('dumping the token stream of the docs corpus');
    await dumpQueries(queriesFile, files, 'lucene-english');
    await dumpCorpus(tsvFile, `${corpus.tsvFile}.unfinished`, 'lucene-english');
    await rename(`${corpus.tsvFile}.unfinished`, corpus.tsvFile);
  }
  return { corpus, queriesFile: (mode) => (mode === 'phrase' ? files.phrases : files.words) };
};

const topsOf = async (
  context: StepContext,
  { engine, folder }: Subject,
  task: { readonly queriesFile: string; readonly mode: Join; readonly k: number },
): Promise<Tops> => {
  context.say(`${engine.name}: best ${task.k}, ${task.mode}`);
  const topsFile = join(dirname(folder), `${task.mode}.tops`);
  await engine.query(folder, { ...task, rounds: 1, topsFile });
  return parseTops(await readFile(topsFile, 'utf8'), topsFile);
};

const compare = async (
  context: StepContext,
  [ours, lucene]: readonly [Subject, Subject],
  mode: Join,
  queriesFile: string,
): Promise<ComparedQuery[]> => {
  const best = await topsOf(context, ours, { queriesFile, mode, k: K });
  const peers = await topsOf(context, lucene, { queriesFile, mode, k: PEER_DEPTH });
  const compared = compareTops(best, peers, K, roundingOf);
  const unknown = compared.filter(({ inversion }) => inversion === Infinity).map(({ query }) => query);
  if (unknown.length === 0) return compared;
  const unknownFile = join(context.workFolder, 'unknown.txt');
  await writeFile(unknownFile, unknown.map((query) => `${query}\n`).join(''));
  const deep = await topsOf(context, lucene, { queriesFile: unknownFile, mode, k: EVERY_DOCUMENT });
  return compareTops(best, new Map([...peers, ...deep]), K, roundingOf);
};

const describe = (compared: readonly ComparedQuery[]): string => {
  const count = (agreement: ComparedQuery['agreement']): number =>
    compared.filter((each) => each.agreement === agreement).length;
  const rounded = compared.filter(({ agreement }) => agreement === 'rounded');
  const largest = Math.max(0, ...rounded.map(({ inversion }) => inversion));
  const examples = compared
    .filter(({ agreement }) => agreement === 'different')
    .slice(0, EXAMPLES)
    .map(({ query, inversion }) => `"${query}" (${inversion.toPrecision(2)})`);
  return (
    `${compared.length} queries, ${count('same')} the same, ${count('rounded')} within rounding ` +
    `(at most ${largest.toPrecision(2)} of the peer's score), ${count('different')} different` +
    (examples.length === 0 ? '' : `, such as ${examples.join(', ')}`)
  );
};

/** The same tokens on both sides: nothing but evaluation and score can differ. */
const claimSameTokens = async (context: StepContext): Promise<void> => {
  const { corpus, queriesFile } = await tokenTask(context);
  const engine = quarryEngine({
    name: 'Quarry',
    analyzer: 'whitespace',
    scoring: 'lucene-compat',
    way: 'bare',
  });
  const pair = [
    await ensureIndex(context, engine, corpus),
    await ensureIndex(context, luceneEngine({ isPreAnalysed: true }), corpus),
  ] as const;
  for (const mode of JOINS) {
    const compared = await compare(context, pair, mode, queriesFile(mode));
    const good = compared.length > 0 && compared.every(({ agreement }) => agreement !== 'different');
    context.claim(`fed the same tokens, the same ten as Lucene (${mode})`, good, describe(compared));
  }
};

/** Each side cuts the text itself; different hits come from different terms, lengths or frequencies then. */
const claimOwnAnalysis = async (context: StepContext): Promise<void> => {
  const corpus = docsTask();
  const pair = [
    await ensureIndex(context, bareEngine(), corpus),
    await ensureIndex(context, luceneEngine(), corpus),
  ] as const;
  const alike = await queriesReadAlike(corpus.queriesFile, 'lucene-english');
  const queriesFile = join(context.workFolder, 'read-alike.txt');
  for (const mode of JOINS) {
    const queries = mode === 'phrase' ? alike.phrases : alike.words;
    await writeFile(queriesFile, queries.map((query) => `${query}\n`).join(''));
    const compared = await compare(context, pair, mode, queriesFile);
    const agreeing = compared.filter(({ agreement }) => agreement !== 'different').length;
    const share = agreeing / Math.max(1, compared.length);
    const claim = `each with its own analyser, the same ten as Lucene for 98 % (${mode})`;
    const figure = `${(share * 100).toFixed(1)} %; ${describe(compared)}`;
    context.claim(claim, share >= OWN_ANALYSIS_SHARE, figure);
  }
};

/** What the two analysers cut otherwise, by class: the only cause of different hits that the claims above leave. */
const claimDifferences = async (context: StepContext): Promise<void> => {
  const { corpus } = await tokenTask(context);
  const peerFile = join(dirname(corpus.tsvFile), 'lucene.tsv');
  context.say('dumping the tokens of EnglishAnalyzer');
  await dumpLuceneTokens(docsTask().tsvFile, peerFile);
  const differences = new TokenDifferences();
  const theirs = readTokens(peerFile)[Symbol.asyncIterator]();
  for await (const ours of readTokens(corpus.tsvFile)) {
    const { value } = await theirs.next();
    differences.add(ours, value ?? []);
  }
  const classes = DIFFERENCES.filter((each) => differences.countOf(each) > 0).map(
    (each) => `${each} ${differences.countOf(each)} (${differences.exampleOf(each)})`,
  );
  const share = differences.countOf('other') / Math.max(1, differences.count);
  context.claim(
    'differences of the own analysers are classified',
    share <= UNCLASSIFIED_SHARE,
    `${differences.count} tokens in ${differences.textCount} pages, ${differences.otherLengthCount} of another length: ` +
      classes.join(', '),
  );
};

/** Our best ten against Lucene's. */
export const identityStep = async (context: StepContext): Promise<void> => {
  await claimSameTokens(context);
  await claimOwnAnalysis(context);
  await claimDifferences(context);
};
