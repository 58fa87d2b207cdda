import type { InstalledPackage } from './installed-packages.ts';
import type { Sites } from './sites.ts';

/** A document's place in a repository, as in `/blob/main/docs/api.md`. */
const BLOB = /^\/(?:blob|tree)\/[^/]+\/(.+)$/;

const parse = (href: string): URL | undefined => {
  try {
    return new URL(href);
  } catch {
    return undefined; // a relative link
  }
};

const onNpm = (url: URL, sites: Sites): string | undefined => {
  const name = /^\/package\/((?:@[^/]+\/)?[^/]+)\/?$/.exec(decodeURI(url.pathname))?.[1];
  // The address as people type it, without the slash: the web answers with a redirect, as real ones do.
  return name === undefined ? undefined : sites.packageUrl(name)?.replace(/\/$/, '');
};

const onGitHub = (url: URL, sites: Sites): string | undefined => {
  const [, repository = '', rest = ''] = /^\/([^/]+\/[^/]+?)(?:\.git)?(\/.*)?$/.exec(url.pathname) ?? [];
  const found = sites.packageOfRepository(repository);
  if (found === undefined) return undefined;
  if (rest === '' || rest === '/') return sites.packageUrl(found.name);
  const path = BLOB.exec(rest)?.[1];
  return path === undefined ? undefined : sites.documentUrl(found.name, decodeURI(path));
};

/**
 * Where a link of a package's document leads in the demo web. A relative link stays as it was written. One that begins
 * with `/` starts at the repository's root, which is where npm packed the package. Anything else outside stays outside.
 */
export const localLink = (href: string, of: InstalledPackage, sites: Sites): string => {
  if (href.startsWith('/') && !href.startsWith('//')) return `/${of.name}${href}`;
  const url = parse(href);
  if (url === undefined) return href;
  const host = url.hostname.replace(/^www\./, '');
  const local =
    host === 'npmjs.com' || host === 'npmjs.org'
      ? onNpm(url, sites)
      : host === 'github.com'
        ? onGitHub(url, sites)
        : undefined;
  return local === undefined ? href : `${local}${url.hash}`;
};
