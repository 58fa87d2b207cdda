import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { PROJECT, projectFiles, readProject } from './helpers/source-tree.ts';

const pages = projectFiles().filter((path) => path.endsWith('.md'));

const withoutCode = (markdown: string): string =>
  markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');

const LINK =
  /!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|<(?:img|a)\s[^>]*?(?:src|href)="([^"]+)"/g;

const linksOf = (path: string): string[] =>
  [...withoutCode(readProject(path)).matchAll(LINK)].map(([, markdown, html]) => markdown ?? html ?? '');

const isRelative = (link: string): boolean => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(link);

/** The ids that a repository's page gives to headings. */
const headingIds = (markdown: string): Set<string> => {
  const headings = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#{1,6}\s+(.*)$/gm);
  const id = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
  return new Set([...headings].map(([, text = '']) => id(text)));
};

const isDead = (page: string, link: string): boolean => {
  const [target = '', fragment = ''] = decodeURI(link).split('#');
  const path = target === '' ? page : posix.join(posix.dirname(page), target);
  if (path.startsWith('..') || !existsSync(join(PROJECT, path))) return true;
  return fragment !== '' && path.endsWith('.md') && !headingIds(readProject(path)).has(fragment);
};

describe('documentation', () => {
  it('has pages with links', () => {
    assert.ok(pages.includes('README.md') && pages.includes('docs/ARCHITECTURE.md'));
    assert.ok(pages.flatMap(linksOf).filter(isRelative).length >= 10);
  });

  it('has no dead relative link', () => {
    const dead = pages.flatMap((page) =>
      linksOf(page)
        .filter(isRelative)
        .filter((link) => isDead(page, link))
        .map((link) => `${page}: ${link}`),
    );
    assert.deepEqual(dead, []);
  });

  it('lists every stored format in docs/ARCHITECTURE.md', () => {
    const linked = new Set(linksOf('docs/ARCHITECTURE.md').map((link) => posix.join('docs', link)));
    const formats = pages.filter((path) => path.endsWith('/FORMAT.md'));
    assert.deepEqual(
      formats.filter((path) => !linked.has(path)),
      [],
    );
  });

  it('lists every error in docs/ERRORS.md, each code once, and none that does not exist', () => {
    const fresh = execFileSync(process.execPath, ['docs/errors.mjs', '--print'], {
      cwd: PROJECT,
      encoding: 'utf8',
    });
    assert.match(
      fresh,
      /\| `CONFIG_UNKNOWN_KEY` \| 2 \| unknown setting "\{key\}"; known ones are: \{known\} \|/,
    );
    assert.equal(readProject('docs/ERRORS.md'), fresh, 'run: node docs/errors.mjs');
  });

  it('names no path or host of one machine', () => {
    const odd = projectFiles()
      .filter((path) => /\.(md|ts|mjs|json)$/.test(path) && path !== 'package-lock.json')
      .filter((path) => /(?:^|[\s"'`(=])\/(?:work|root|home)\/\w/.test(readProject(path)));
    assert.deepEqual(odd, []);
  });
});
