import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { installedPackages } from './installed-packages.ts';
import { documentPage, hostPage, packagePage, portalPage } from './pages.ts';
import { laySites, type Resource, type Sites } from './sites.ts';

export interface DemoWebOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Default: the `node_modules` that this program was built with. */
  readonly modulesFolder?: string;
}

/** A name server in the process; it rejects with the code that Node's own resolver has for an unknown name. */
export interface DemoResolver {
  resolve(host: string): Promise<readonly string[]>;
}

export interface DemoWeb extends AsyncDisposable {
  /** One address per host, the portal's first. */
  readonly seeds: readonly string[];
  readonly port: number;
  /** Pages that a crawl of all seeds finds, when it obeys robots.txt. */
  readonly pageCount: number;
  /** Knows the hosts of this web and no other; hand it to `crawl`. */
  readonly resolver: DemoResolver;
  readonly close: () => Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const ROBOTS = 'User-agent: *\nDisallow: /-/\n';
const HTML = 'text/html; charset=utf-8';

interface Answer {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly lastModified?: string;
}

const answer = (type: string, content: string | Buffer, modifiedMs?: number): Answer => {
  const body = Buffer.from(content);
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  return { type, body, etag, ...(modifiedMs === undefined ? {} : { lastModified: httpDate(modifiedMs) }) };
};

const httpDate = (timeMs: number): string => new Date(timeMs).toUTCString();

type Content = Exclude<Resource, { readonly kind: 'redirect' }>;

const render = (resource: Content, sites: Sites): Answer => {
  switch (resource.kind) {
    case 'portal':
      return answer(HTML, portalPage(sites));
    case 'host':
      return answer(HTML, hostPage(resource.host, sites));
    case 'package':
      return answer(HTML, packagePage(resource.of, sites));
    case 'raw': {
      const { kind, file, modifiedMs } = resource.document;
      return answer(
        `text/${kind === 'text' ? 'plain' : kind}; charset=utf-8`,
        readFileSync(file),
        modifiedMs,
      );
    }
    case 'document': {
      const { document, of } = resource;
      if (document.kind === 'text') return render({ kind: 'raw', document }, sites);
      return answer(HTML, documentPage(of, document, sites), document.modifiedMs);
    }
  }
};

/** RFC 9110, 13.1: If-None-Match goes before If-Modified-Since. */
const isUnchanged = (request: IncomingMessage, { etag, lastModified }: Answer): boolean => {
  const noneMatch = request.headers['if-none-match'];
  if (noneMatch !== undefined)
    return noneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const since = request.headers['if-modified-since'];
  return since !== undefined && lastModified !== undefined && Date.parse(lastModified) <= Date.parse(since);
};

const sendShort = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(`${status}\n`);
};

const send = (request: IncomingMessage, response: ServerResponse, content: Answer): void => {
  const validators = {
    etag: content.etag,
    ...(content.lastModified === undefined ? {} : { 'last-modified': content.lastModified }),
  };
  if (isUnchanged(request, content)) {
    response.writeHead(304, validators);
    response.end();
    return;
  }
  response.writeHead(200, {
    ...validators,
    'content-type': content.type,
    'content-length': content.body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : content.body);
};

/** Pages are rendered when they are first asked for, then kept. */
const createHandler = (sites: Sites) => {
  const rendered = new Map<string, Answer>();
  return (request: IncomingMessage, response: ServerResponse): void => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    const path = (request.url ?? '/').replace(/[?#].*$/s, '');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendShort(response, 405, { allow: 'GET, HEAD' });
      return;
    }
    if (path === '/robots.txt' && sites.hosts.includes(host)) {
      send(request, response, answer('text/plain; charset=utf-8', ROBOTS));
      return;
    }
    const resource = sites.find(host, path);
    if (resource === undefined) {
      sendShort(response, 404, {});
      return;
    }
    if (resource.kind === 'redirect') {
      sendShort(response, 301, { location: resource.location });
      return;
    }
    const key = `${host}${path}`;
    const content = rendered.get(key) ?? render(resource, sites);
    rendered.set(key, content);
    send(request, response, content);
  };
};

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
  });

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const resolverOf = (sites: Sites): DemoResolver => ({
  resolve: async (host) => {
    if (sites.hosts.includes(host)) return [LOOPBACK];
    throw Object.assign(new Error(`${host} is not a host of the demo web`), { code: 'ENOTFOUND' });
  },
});

const builtWith = (): string => fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/**
 * Serves the documentation of the installed packages as a web of many hosts on one loopback port.
 * Rejects with the system's error when the port is taken. It runs until it is closed.
 */
export const startDemoWeb = async (options: DemoWebOptions = {}): Promise<DemoWeb> => {
  const packages = installedPackages(options.modulesFolder ?? builtWith());
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  const sites = laySites(packages, port);
  server.on('request', createHandler(sites));
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= stop(server);
    return closing;
  };
  return {
    seeds: sites.hosts.map(sites.hostUrl),
    port,
    pageCount: sites.pageCount,
    resolver: resolverOf(sites),
    close,
    [Symbol.asyncDispose]: close,
  };
};
