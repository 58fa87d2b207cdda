import { readFileSync } from 'node:fs';
import { type CheerioAPI, load } from 'cheerio';
import { marked } from 'marked';
import type { DocumentFile, InstalledPackage } from './installed-packages.ts';
import { localLink } from './links.ts';
import type { Sites } from './sites.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

const STYLE =
  'body{font:17px/1.55 system-ui,sans-serif;max-width:46rem;margin:0 auto;padding:1rem;color:#1c1c1c;background:#fff}' +
  'nav{font-size:.9rem;border-bottom:1px solid #ddd;padding-bottom:.5rem;margin-bottom:1rem}' +
  'pre{overflow:auto;background:#f5f5f5;padding:.75rem}table{border-collapse:collapse;display:block;overflow:auto}' +
  'td,th{border:1px solid #ddd;padding:.25rem .5rem}img{max-width:100%}';

interface Layout {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Steps above this page, outermost first. */
  readonly trail: readonly (readonly [text: string, url: string])[];
}

const link = (text: string, url: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

const htmlPage = ({ title, body, trail }: Layout): string => {
  const nav =
    trail.length === 0 ? '' : `<nav>${trail.map(([text, url]) => link(text, url)).join(' › ')}</nav>\n`;
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>`;
  return `<!DOCTYPE html>\n<html lang="en"><head>${head}<style>${STYLE}</style></head>\n<body>${nav}<main>\n${body}\n</main></body></html>\n`;
};

const list = (items: readonly string[]): string =>
  `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;

/** The id that a heading gets on a repository's page: what links such as `#options` count on. */
const headingId = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const portalTrail = (sites: Sites): Layout['trail'] => [['npm.localhost', sites.portalUrl]];

const packageTrail = (of: InstalledPackage, sites: Sites): Layout['trail'] => {
  const url = sites.packageUrl(of.name) ?? sites.portalUrl;
  return [...portalTrail(sites), [new URL(url).hostname, new URL('/', url).href], [of.name, url]];
};

/** Links to every host and package. */
export const portalPage = (sites: Sites): string => {
  const hosts = sites.hosts.filter((host) => sites.packagesOn(host).length > 0);
  const sections = hosts.map((host) => {
    const packages = sites.packagesOn(host).map((each) => link(each.name, sites.packageUrl(each.name) ?? ''));
    return `<h2>${link(host, sites.hostUrl(host))}</h2>\n<p>${packages.join(', ')}</p>`;
  });
  const intro = 'The documentation of the packages installed beside Quarry, as their authors wrote it.';
  const body = `<h1>Installed packages</h1>\n<p>${intro}</p>\n${sections.join('\n')}`;
  return htmlPage({ title: 'Installed packages', body, trail: [] });
};

/** What a host holds. */
export const hostPage = (host: string, sites: Sites): string => {
  const items = sites
    .packagesOn(host)
    .map((each) => `${link(each.name, sites.packageUrl(each.name) ?? '')} ${escapeHtml(each.description)}`);
  const body = `<h1>Packages on ${escapeHtml(host)}</h1>\n${list(items)}`;
  return htmlPage({ title: `Packages on ${host}`, body, trail: portalTrail(sites) });
};

/** A package: its documents and what it depends on. */
export const packagePage = (of: InstalledPackage, sites: Sites): string => {
  const documents = of.documents.map(({ path }) => link(path, sites.documentUrl(of.name, path) ?? ''));
  const dependencies = of.dependencies.map((name) => {
    const url = sites.packageUrl(name);
    return url === undefined ? escapeHtml(name) : link(name, url);
  });
  const about = `<p>${escapeHtml(of.description)}</p>\n<p>Version ${escapeHtml(of.version)}, licence ${escapeHtml(of.license)}.</p>`;
  const needs =
    dependencies.length === 0
      ? `<p>${escapeHtml(of.name)} depends on no other package.</p>`
      : `<h2>${escapeHtml(of.name)} depends on</h2>\n${list(dependencies)}`;
  const body = `<h1>${escapeHtml(of.name)}</h1>\n${about}\n<h2>Documents</h2>\n${list(documents)}\n${needs}`;
  return htmlPage({
    title: `${of.name} ${of.version}`,
    body,
    trail: packageTrail(of, sites).slice(0, -1),
  });
};

/** Gives headings their ids, a text that occurs again a number. */
const nameHeadings = ($: CheerioAPI): void => {
  const seen = new Map<string, number>();
  for (const element of $('h1, h2, h3, h4, h5, h6')) {
    const id = headingId($(element).text());
    const earlier = seen.get(id) ?? 0;
    seen.set(id, earlier + 1);
    $(element).attr('id', earlier === 0 ? id : `${id}-${earlier}`);
  }
};

/** A first heading that only names the package (many manuals print it on each page) says nothing: the next one counts. */
const titleOf = ($: CheerioAPI, of: InstalledPackage, document: DocumentFile): string => {
  const headings = $('h1, h2').toArray().slice(0, 2);
  const texts = headings.map((element) => $(element).text().replace(/\s+/g, ' ').trim());
  const names = new Set(['', of.name.toLowerCase()]);
  const telling = texts.find((text) => !names.has(text.toLowerCase()));
  return telling === undefined || /^readme\./i.test(document.path)
    ? `${of.name}: ${document.path}`
    : `${telling} (${of.name})`;
};

/** A Markdown document as a page. */
export const documentPage = (of: InstalledPackage, document: DocumentFile, sites: Sites): string => {
  const markdown = readFileSync(document.file, 'utf8').replace(/^\uFEFF/, '');
  const $ = load(marked.parse(markdown, { async: false }), null, false);
  for (const element of $('a[href]')) {
    $(element).attr('href', localLink($(element).attr('href') ?? '', of, sites));
  }
  nameHeadings($);
  const source = `<p>${link('Source of this page', sites.rawUrl(of.name, document.path))}</p>`;
  return htmlPage({
    title: titleOf($, of, document),
    body: `${$.html()}\n${source}`,
    trail: packageTrail(of, sites),
  });
};
