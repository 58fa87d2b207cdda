import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Broker } from '../broker/broker.ts';
import { failQuery } from '../errors.ts';
import { prefersJson } from './accept.ts';
import { type AssetLink, assetLinks, readAssets } from './assets.ts';
import { Metrics } from './metrics.ts';
import { renderProblemPage } from './page/problem-page.ts';
import { PROBLEM_TYPE, problemOf, problemOfError } from './problem.ts';
import { HTML_TYPE, registerRoutes } from './routes.ts';
import type { Problem } from './schemas.ts';
import { isLoopback, SECURITY_HEADERS, showsToken } from './security.ts';

export interface ServerOptions {
  /** Answers the queries; its owner closes it after the server. */
  readonly broker: Broker;
  /** Version of the package, for status and API description. */
  readonly version: string;
  /** When given, every route but health and static files asks for it, as a bearer or as a password. */
  readonly token?: string;
  /** Hears what the operator should know, one sentence each. */
  readonly onWarning?: (text: string) => void;
  /** Hears errors of the server itself (status 500); clients do not learn more than that they happened. */
  readonly onError?: (error: Error) => void;
  /** Closes the server when aborted; one that is aborted already lets it never listen. */
  readonly signal?: AbortSignal;
}

/** The HTTP face of a broker. */
export interface SearchServer {
  /**
   * Starts to listen; port 0 takes a free one. Returns the URL of the start page.
   * Throws QUERY_PORT_IN_USE, QUERY_PORT_FORBIDDEN, QUERY_BAD_HOST, and the signal's reason once it is aborted.
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly url: string }>;
  /** Answers one request without a socket: for tests and for embedding. */
  inject: FastifyInstance['inject'];
  /** Finishes the requests under way, then closes. Idempotent. */
  close(): Promise<void>;
}

const OPEN_PATHS = /^\/(?:healthz|readyz|assets\/.*)$/;
const PROGRAM_PATHS = /^\/(?:api\/|healthz|readyz|metrics|openapi\.json|opensearch\.xml|assets\/)/;

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

const wantsPage = (request: FastifyRequest): boolean =>
  !PROGRAM_PATHS.test(pathOf(request)) &&
  (request.headers.accept ?? '').includes('text/html') &&
  !prefersJson(request.headers.accept);

/** Sends a problem as a page to a person, as application/problem+json to a program. */
const sendProblem = (
  request: FastifyRequest,
  reply: FastifyReply,
  { problem, link }: { readonly problem: Problem; readonly link: AssetLink },
): FastifyReply => {
  reply.code(problem.status).header('x-robots-tag', 'noindex').header('cache-control', 'no-store');
  if (problem.status === 503) reply.header('retry-after', '1');
  if (wantsPage(request)) return reply.type(HTML_TYPE).send(renderProblemPage(problem, link));
  return reply.type(PROBLEM_TYPE).send(JSON.stringify(problem));
};

const addToken = (server: FastifyInstance, token: string, link: AssetLink): void => {
  server.addHook('onRequest', async (request, reply) => {
    if (OPEN_PATHS.test(pathOf(request)) || showsToken(request.headers.authorization, token)) return;
    reply.header('www-authenticate', 'Basic realm="Quarry", charset="UTF-8"');
    await sendProblem(request, reply, { problem: problemOf(401, 'this server asks for its token'), link });
  });
};

const buildServer = (options: ServerOptions): FastifyInstance => {
  const server = Fastify({
    logger: false,
    forceCloseConnections: 'idle',
    ajv: { customOptions: { removeAdditional: false, allErrors: true } },
    routerOptions: { maxParamLength: 256 },
  });
  const assets = readAssets();
  const link = assetLinks(assets);
  server.addHook('onRequest', async (_, reply) => {
    reply.headers(SECURITY_HEADERS);
  });
  if (options.token !== undefined) addToken(server, options.token, link);
  server.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const problem = problemOfError(error);
    if (problem.status === 500 && !request.signal.aborted) options.onError?.(error);
    return sendProblem(request, reply, { problem, link });
  });
  server.setNotFoundHandler((request, reply) => {
    const problem = problemOf(404, `there is nothing at ${request.method} ${pathOf(request)}`);
    return sendProblem(request, reply, { problem, link });
  });
  const metrics = new Metrics();
  server.addHook('onResponse', async (request, reply) => {
    metrics.observeRequest(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime);
  });
  registerRoutes(server, { broker: options.broker, assets, version: options.version, metrics });
  return server;
};

const LISTEN_ERRORS = {
  EADDRINUSE: 'QUERY_PORT_IN_USE',
  EACCES: 'QUERY_PORT_FORBIDDEN',
} as const;

const listenError = (error: unknown, { host, port }: { readonly host: string; readonly port: number }) => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = code in LISTEN_ERRORS ? LISTEN_ERRORS[code as keyof typeof LISTEN_ERRORS] : 'QUERY_BAD_HOST';
  return failQuery(known, { host, port, reason: message }, error);
};

/** An HTTP server over a broker: the page, the API, health. It listens only when told to. */
export const createServer = (options: ServerOptions): SearchServer => {
  const server = buildServer(options);
  const { signal } = options;
  const close = async (): Promise<void> => {
    signal?.removeEventListener('abort', onAbort);
    await server.close();
  };
  const onAbort = (): void => {
    close().catch((error: Error) => options.onError?.(error));
  };
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    listen: async (address) => {
      signal?.throwIfAborted();
      try {
        await server.listen(address);
      } catch (error) {
        throw listenError(error, address);
      }
      if (!isLoopback(address.host) && options.token === undefined) {
        options.onWarning?.(
          `listening on ${address.host} without a token: everyone who reaches this machine can search the index`,
        );
      }
      const bound = server.server.address();
      const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
      const host = address.host.includes(':') ? `[${address.host}]` : address.host;
      return { url: `http://${host}:${port}/` };
    },
    inject: server.inject.bind(server),
    close,
  };
};
