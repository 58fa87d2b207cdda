import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One file of documentation in an installed package. */
export interface DocumentFile {
  /** Relative to the package's folder, with `/`. */
  readonly path: string;
  readonly kind: 'markdown' | 'text';
  /** Absolute, on this machine; never shown. */
  readonly file: string;
  readonly modifiedMs: number;
}

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Names of the packages that package.json says it needs, sorted. */
  readonly dependencies: readonly string[];
  /** `owner/name` in lower case when the source is on GitHub, else ''. */
  readonly repository: string;
  /** Sorted by path. */
  readonly documents: readonly DocumentFile[];
}

interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly description?: unknown;
  readonly license?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly repository?: string | { readonly url?: string };
}

const MARKDOWN = /\.(md|markdown)$/i;
/** Licences and the like, which are plain text. */
const PLAIN_TEXT = /^(licen[cs]e|copying|notice|authors|contributors|patents)([-.][\w.-]*)?$|\.txt$/i;
const isPlainText = (name: string): boolean =>
  PLAIN_TEXT.test(name) && !/\.(js|json|ts|cjs|mjs)$/i.test(name);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const kindOf = (name: string): DocumentFile['kind'] | undefined =>
  MARKDOWN.test(name) ? 'markdown' : isPlainText(name) ? 'text' : undefined;

/** Documents below a package's folder, without hidden folders and packages nested inside. */
const documentsIn = (folder: string, prefix = ''): DocumentFile[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    const file = join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : documentsIn(file, `${path}/`);
    }
    const kind = entry.isFile() ? kindOf(entry.name) : undefined;
    return kind === undefined ? [] : [{ path, kind, file, modifiedMs: statSync(file).mtimeMs }];
  });

/** `owner/name` of the forms that npm takes: a URL, `github:owner/name`, `owner/name`. */
const repositoryOf = (repository: Manifest['repository']): string => {
  const text = (typeof repository === 'string' ? repository : repository?.url) ?? '';
  const match =
    /github\.com[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[#/].*)?$/i.exec(text) ??
    /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(text);
  return (match?.[1] ?? '').toLowerCase();
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const readPackage = (folder: string): InstalledPackage | undefined => {
  const manifestFile = join(folder, 'package.json');
  if (!existsSync(manifestFile)) return undefined;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
  return {
    name: textOf(manifest.name),
    version: textOf(manifest.version),
    description: textOf(manifest.description),
    license: textOf(manifest.license),
    dependencies: Object.keys(manifest.dependencies ?? {}).sort(byText),
    repository: repositoryOf(manifest.repository),
    documents: documentsIn(folder).sort((a, b) => byText(a.path, b.path)),
  };
};

/** Folders of a `node_modules`: `name` and `@scope/name`. Links to other folders are not packages that npm put there. */
const packageFolders = (modulesFolder: string): string[] =>
  readdirSync(modulesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const folder = join(modulesFolder, entry.name);
      return entry.name.startsWith('@') ? packageFolders(folder) : [folder];
    });

/** What is installed in a `node_modules` folder, by name; packages without any document have an empty list. */
export const installedPackages = (modulesFolder: string): InstalledPackage[] =>
  packageFolders(modulesFolder)
    .map(readPackage)
    .filter((found): found is InstalledPackage => found !== undefined && found.name !== '')
    .sort((a, b) => byText(a.name, b.name));
