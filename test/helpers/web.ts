import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostResolver } from '../../crawler/index.ts';

/** What a host of the test web answers. */
export interface WebAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
  /** Wait before the headers. */
  readonly delayMs?: number;
  /** Takes over the connection after the headers and the body above: drips, cuts, stays silent. */
  readonly then?: (response: ServerResponse) => void;
}

export interface WebRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Monotonic; `endMs` is when the answer was sent or the connection broke. */
  readonly startMs: number;
  endMs: number;
  status: number;
  /** Requests to the host under way when this one came, itself included. */
  readonly parallel: number;
  /** Number of the TCP connection. */
  readonly connection: number;
}

export interface WebHost {
  /** In 127.0.0.0/8; default an address of its own. */
  readonly address?: string;
  readonly answer: (path: string, request: WebRequest) => WebAnswer;
}

export interface TestWeb extends AsyncDisposable {
  readonly port: number;
  /** Absolute URL of a path of a host. */
  readonly url: (host: string, path?: string) => string;
  readonly log: WebRequest[];
  readonly resolver: HostResolver;
  readonly close: () => Promise<void>;
}

/** An HTML page with a title, a paragraph and links. */
export const html = (title: string, text: string, links: readonly string[] = [], head = ''): WebAnswer => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><p>${text}</p>${links
    .map((link) => `<a href="${link}">link</a> `)
    .join('')}</body></html>`,
});

export const notFound: WebAnswer = {
  status: 404,
  headers: { 'content-type': 'text/html' },
  body: 'no such page',
};

/** A host made of a table of pages; all else, robots.txt too, is 404. */
export const site = (
  pages: Readonly<Record<string, WebAnswer | ((request: WebRequest) => WebAnswer)>>,
): WebHost => ({
  answer: (path, request) => {
    const page = pages[path] ?? notFound;
    return typeof page === 'function' ? page(request) : page;
  },
});

const listen = (server: Server, port: number, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => resolve());
  });

/** Serves hosts on loopback addresses, all on one free port, and answers for their names. */
export const startWeb = async (hosts: Readonly<Record<string, WebHost>>): Promise<TestWeb> => {
  const log: WebRequest[] = [];
  const active = new Map<string, number>();
  const addresses = new Map<string, string>();
  for (const [index, [name, host]] of Object.entries(hosts).entries()) {
    addresses.set(name, host.address ?? `127.0.3.${index + 1}`);
  }
  let connections = 0;
  const numbers = new WeakMap<object, number>();
  const handle = (name: string, path: string, response: ServerResponse): void => {
    const { req } = response;
    const parallel = (active.get(name) ?? 0) + 1;
    active.set(name, parallel);
    const connection = numbers.get(req.socket) ?? ++connections;
    numbers.set(req.socket, connection);
    const { headers } = req;
    const request: WebRequest = {
      host: name,
      path,
      headers,
      startMs: performance.now(),
      endMs: 0,
      status: 0,
      parallel,
      connection,
    };
    log.push(request);
    response.once('close', () => {
      request.endMs = performance.now();
      active.set(name, (active.get(name) ?? 1) - 1);
    });
    const answer = hosts[name]?.answer(path, request) ?? notFound;
    request.status = answer.status ?? 200;
    setTimeout(() => send(response, answer), answer.delayMs ?? 0);
  };
  const send = (response: ServerResponse, answer: WebAnswer): void => {
    response.writeHead(answer.status ?? 200, { ...answer.headers });
    if (answer.then === undefined) {
      response.end(answer.body ?? '');
      return;
    }
    if (answer.body !== undefined) response.write(answer.body);
    else response.flushHeaders();
    answer.then(response);
  };
  const servers: Server[] = [];
  let port = 0;
  for (const address of new Set(addresses.values())) {
    const server = createServer((request, response) => {
      handle((request.headers.host ?? '').replace(/:\d+$/, ''), request.url ?? '/', response);
    });
    await listen(server, port, address);
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  const close = async (): Promise<void> => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  return {
    port,
    log,
    url: (host, path = '/') => `http://${host}:${port}${path}`,
    resolver: {
      resolve: async (host) => {
        const address = addresses.get(host);
        if (address === undefined) throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' });
        return [address];
      },
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
