import { readFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startLocalWeb } from '../local-web.ts';
import { projectRoot } from '../paths.ts';
import { jsonLines, type ProgramResult, runProgram, runSuccessfully } from '../program.ts';
import type { StepContext } from './verdicts.ts';

const PAGES = 40;

/** An answer of `quarry search --json`. */
interface SearchRow {
  readonly total: { readonly value: number };
}

const lastWords = ({ status, stdout, stderr }: ProgramResult): string =>
  `status ${status}, ${`${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? ''}`;

/** The packed product in a folder that has nothing else. */
const installPacked = async (context: StepContext): Promise<string> => {
  const packed = join(context.workFolder, 'packed');
  const empty = join(context.workFolder, 'empty');
  for (const folder of [packed, empty]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  // Without scripts: a build would remove the files that this program runs from.
  await runSuccessfully('npm', ['pack', '--ignore-scripts', '--pack-destination', packed], {
    cwd: projectRoot,
  });
  const [tarball = ''] = await readdir(packed);
  await runSuccessfully('npm', ['init', '-y'], { cwd: empty });
  await runSuccessfully('npm', ['install', '--no-audit', '--no-fund', join(packed, tarball)], { cwd: empty });
  return empty;
};

/** Every entry of `exports` can be imported, and nothing else. */
const claimExports = async (context: StepContext, folder: string): Promise<void> => {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const entries = Object.keys(manifest.exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => entry.replace(/^\./, 'quarry'));
  const script = `for (const name of ${JSON.stringify(entries)}) {
    if (Object.keys(await import(name)).length === 0) throw new Error(name + ' exports nothing');
  }
  await import('quarry' + '/dist/index.js').then(() => { throw new Error('the inside is reachable'); }, () => undefined);`;
  const result = await runProgram(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  context.claim(
    'every entry of exports is importable, the inside is not',
    result.status === 0,
    `${entries.join(', ')}, ${lastWords(result)}`,
  );
};

/** Both programs: a crawl uses the parse workers, a search the index. */
const claimPrograms = async (context: StepContext, folder: string): Promise<void> => {
  await using web = await startLocalWeb(join(context.workFolder, 'package.jsonl'));
  const reach = [
    '--dns',
    web.dns,
    '--allow-private',
    '--delay',
    '0',
    '--politeness',
    '0',
    '--max-pages',
    String(PAGES),
  ];
  const data = join(folder, 'data');
  const words = ['--no-install', 'crawl-and-index', ...reach, '--data', data, '--quiet', ...web.seeds];
  const crawled = await runProgram('npx', words, { cwd: folder });
  context.claim('npx crawl-and-index works', crawled.status === 0, lastWords(crawled));
  const search = ['--no-install', 'quarry', 'search', '--data', data, '--json', 'manual'];
  const found = await runProgram('npx', search, { cwd: folder });
  const total = jsonLines<Partial<SearchRow>>(found.stdout)[0]?.total?.value;
  context.claim(
    'npx quarry search works',
    found.status === 0 && (total ?? 0) > 0,
    `${total ?? 'no'} hits, ${found.status === 0 ? 'status 0' : lastWords(found)}`,
  );
};

/** `npm pack`, installed in an empty folder. */
export const packageStep = async (context: StepContext): Promise<void> => {
  context.say('installing the packed product in an empty folder');
  const folder = await installPacked(context);
  await claimExports(context, folder);
  await claimPrograms(context, folder);
};
