import type { DocumentFile, InstalledPackage } from './installed-packages.ts';

/** A package with as many documents has a host of its own. */
const OWN_HOST_DOCUMENTS = 4;
const DOMAIN = 'localhost';

/** What stands under one address of the demo web. */
export type Resource =
  | { readonly kind: 'portal' }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'package'; readonly of: InstalledPackage }
  | { readonly kind: 'document'; readonly of: InstalledPackage; readonly document: DocumentFile }
  | { readonly kind: 'raw'; readonly document: DocumentFile }
  | { readonly kind: 'redirect'; readonly location: string };

/** Which host and path everything has. Addresses are complete URLs on one port. */
export interface Sites {
  readonly portalUrl: string;
  /** All hosts in order, the portal's first. */
  readonly hosts: readonly string[];
  readonly hostUrl: (host: string) => string;
  readonly packageUrl: (name: string) => string | undefined;
  readonly documentUrl: (name: string, path: string) => string | undefined;
  readonly rawUrl: (name: string, path: string) => string;
  readonly packagesOn: (host: string) => readonly InstalledPackage[];
  /** The package whose source a GitHub repository holds; of several the one named like the repository, or the first. */
  readonly packageOfRepository: (repository: string) => InstalledPackage | undefined;
  /** `path` is as in a request line, without the query. */
  readonly find: (host: string, path: string) => Resource | undefined;
  /** Pages that a crawler may fetch: without redirects and sources. */
  readonly pageCount: number;
}

const hostOf = (found: InstalledPackage): string => {
  const scope = /^@([^/]+)\//.exec(found.name)?.[1];
  const own = scope ?? (found.documents.length >= OWN_HOST_DOCUMENTS ? found.name : undefined);
  const label = own?.replace(/_/g, '-') ?? `${found.name.charAt(0)}.npm`;
  return `${label}.${DOMAIN}`;
};

/** Percent-encodes what a path must not hold; `/` and `@` stay. */
const encodePath = (path: string): string =>
  encodeURI(path).replace(/[?#]/g, (sign) => encodeURIComponent(sign));

const byRepository = (packages: readonly InstalledPackage[]): Map<string, InstalledPackage> => {
  const found = new Map<string, InstalledPackage>();
  for (const each of packages) {
    if (each.repository === '') continue;
    const isNamesake = each.repository.endsWith(`/${each.name}`);
    if (isNamesake || !found.has(each.repository)) found.set(each.repository, each);
  }
  return found;
};

interface Entry {
  readonly of: InstalledPackage;
  readonly host: string;
  readonly root: string;
}

const resourcesOf = (entries: readonly Entry[], origin: (host: string) => string): Map<string, Resource> => {
  const resources = new Map<string, Resource>();
  for (const { of, host, root } of entries) {
    const at = (path: string): string => `${host}${path}`;
    resources.set(at(root), { kind: 'package', of });
    resources.set(at(root.slice(0, -1)), { kind: 'redirect', location: `${origin(host)}${root}` });
    for (const document of of.documents) {
      const path = encodePath(document.path);
      resources.set(at(`${root}${path}`), { kind: 'document', of, document });
      resources.set(at(`/-/raw${root}${path}`), { kind: 'raw', document });
    }
    resources.set(at('/'), { kind: 'host', host });
  }
  return resources;
};

export const laySites = (installed: readonly InstalledPackage[], port: number): Sites => {
  const portalHost = `npm.${DOMAIN}`;
  const origin = (host: string): string => `http://${host}:${port}`;
  const entries = installed
    .filter((each) => each.documents.length > 0)
    .map((of): Entry => ({ of, host: hostOf(of), root: `/${encodePath(of.name)}/` }));
  const byName = new Map(entries.map((entry) => [entry.of.name, entry]));
  const resources = resourcesOf(entries, origin);
  resources.set(`${portalHost}/`, { kind: 'portal' });
  const repositories = byRepository(entries.map((entry) => entry.of));
  const hosts = [...new Set([portalHost, ...entries.map((entry) => entry.host).sort()])];
  const urlIn = (name: string, suffix: string, prefix = ''): string | undefined => {
    const entry = byName.get(name);
    return entry && `${origin(entry.host)}${prefix}${entry.root}${encodePath(suffix)}`;
  };
  return {
    portalUrl: `${origin(portalHost)}/`,
    hosts,
    hostUrl: (host) => `${origin(host)}/`,
    packageUrl: (name) => urlIn(name, ''),
    documentUrl: (name, path) =>
      byName.get(name)?.of.documents.some((document) => document.path === path)
        ? urlIn(name, path)
        : undefined,
    rawUrl: (name, path) => urlIn(name, path, '/-/raw') ?? '',
    packagesOn: (host) => entries.filter((entry) => entry.host === host).map((entry) => entry.of),
    packageOfRepository: (repository) => repositories.get(repository.toLowerCase()),
    find: (host, path) => resources.get(`${host}${path}`),
    pageCount: [...resources.values()].filter(({ kind }) => kind !== 'redirect' && kind !== 'raw').length,
  };
};
