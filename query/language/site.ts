import type { SiteFilter } from '../../shards/index.ts';

const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/;

/**
 * Reads the value of `site:`: a host, optionally with scheme, `*.`, user, port, path, in any case, in Unicode or
 * punycode. A host matches itself and all hosts below it at a label boundary; a port is left out, since a site filter
 * has none; a path is a prefix. undefined when there is no host in it.
 */
export const parseSite = (value: string): SiteFilter | undefined => {
  const bare = value.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^(?:\*\.|\.)+/, '');
  if (bare === '' || bare.startsWith('/')) return undefined;
  let url: URL;
  try {
    url = new URL(`http://${bare}`);
  } catch {
    return undefined;
  }
  const host = url.hostname.replace(/\.+$/, '');
  if (host.length > 253 || !HOST.test(host)) return undefined;
  const path = url.pathname + url.search;
  return { host, pathPrefix: path === '/' ? '' : path };
};
