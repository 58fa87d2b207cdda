import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Broker, IndexOverview } from '../broker/broker.ts';
import { prefersJson } from './accept.ts';
import { type Asset, type AssetLink, assetLinks } from './assets.ts';
import type { Metrics } from './metrics.ts';
import { openApiOf, type RouteDocument } from './openapi.ts';
import { openSearchDescription } from './opensearch.ts';
import { PAGE_SIZE, renderHomePage, renderResultsPage } from './page/search-page.ts';
import { renderStatusPage } from './page/status-page.ts';
import { PROBLEM_TYPE, problemOf } from './problem.ts';
import * as schemas from './schemas.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

export interface RouteContext {
  readonly broker: Broker;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly version: string;
  readonly metrics: Metrics;
}

/** A route: how it is described, checked and answered. */
interface Route<Query> extends Omit<RouteDocument, 'query'> {
  readonly query?: TObject;
  readonly handle: (request: FastifyRequest<{ Querystring: Query }>, reply: FastifyReply) => Promise<unknown>;
}

const responseOf = (answer: TSchema | string): object =>
  typeof answer === 'string' ? {} : { response: { 200: answer } };

const origin = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

/** Search for programs. */
const searchRoute = ({ broker, metrics }: RouteContext): Route<schemas.SearchQuery> => ({
  path: '/api/search',
  summary: 'Searches all shards',
  query: schemas.searchQuery,
  answer: schemas.searchAnswer,
  handle: async (request, reply) => {
    const { q, k, from, tier, snippet, explain } = request.query;
    reply.header('x-robots-tag', 'noindex');
    const answer = await broker.search({
      q,
      k,
      from,
      tier,
      snippet: snippet === '1',
      explain: explain === '1',
      signal: request.signal,
    });
    return metrics.observeAnswer(answer);
  },
});

const storedPageRoute = ({ broker }: RouteContext): Route<schemas.StoredPageQuery> => ({
  path: '/api/page',
  summary: 'The text of a page as it was when it was fetched',
  query: schemas.storedPageQuery,
  answer: TEXT_TYPE,
  handle: async (request, reply) => {
    const page = await broker.page(request.query.url);
    reply.header('x-robots-tag', 'noindex');
    if (page === undefined) {
      return reply.code(404).type(PROBLEM_TYPE).send(problemOf(404, 'the index holds no page of this URL'));
    }
    reply.header('last-modified', new Date(page.fetchedAtMs).toUTCString());
    if (/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(page.lang)) reply.header('content-language', page.lang);
    return reply.type(TEXT_TYPE).send(page.title === '' ? page.text : `${page.title}\n\n${page.text}`);
  },
});

const statusOf = (overview: IndexOverview, version: string) => ({ version, ...overview });

const statusRoute = ({ broker, version }: RouteContext): Route<unknown> => ({
  path: '/api/status',
  summary: 'What the index holds and which nodes serve it',
  answer: schemas.statusAnswer,
  handle: async () => statusOf(await broker.overview(), version),
});

const healthRoute = (): Route<unknown> => ({
  path: '/healthz',
  summary: 'Whether the process lives',
  answer: schemas.healthAnswer,
  handle: async () => ({ status: 'ok' }),
});

const readyRoute = ({ broker }: RouteContext): Route<unknown> => ({
  path: '/readyz',
  summary: 'Whether a shard answers',
  answer: schemas.healthAnswer,
  handle: async (_, reply) => {
    const { nodes } = await broker.overview();
    const ready = nodes.some(({ error, shards }) => error === undefined && shards.length > 0);
    if (ready) return { status: 'ready' };
    return reply.code(503).type(PROBLEM_TYPE).send(problemOf(503, 'no shard answers'));
  },
});

const metricsRoute = ({ broker, metrics }: RouteContext): Route<unknown> => ({
  path: '/metrics',
  summary: 'Counters and histograms in the text format of Prometheus',
  answer: 'text/plain',
  handle: async (_, reply) => {
    const overview = await broker.overview().catch(() => undefined);
    return reply.type(metrics.contentType).send(await metrics.text(overview));
  },
});

const openSearchRoute = (): Route<unknown> => ({
  path: '/opensearch.xml',
  summary: 'OpenSearch description for browsers',
  answer: 'application/opensearchdescription+xml',
  handle: async (request, reply) =>
    reply
      .type('application/opensearchdescription+xml; charset=utf-8')
      .send(openSearchDescription(origin(request))),
});

/** The page; JSON for a client that asks for it. Without a query it is the start page. */
const pageRoute = (
  path: '/' | '/search',
  { broker, metrics }: RouteContext,
  link: AssetLink,
): Route<schemas.PageQuery> => ({
  path,
  summary:
    path === '/' ? 'The start page, or an answer as /search' : 'An answer as a page, or as JSON by Accept',
  query: schemas.pageQuery,
  answer: 'text/html',
  handle: async (request, reply) => {
    const { q = '', from } = request.query;
    reply.header('vary', 'accept').header('cache-control', 'private, no-cache');
    if (q.trim() === '' && !prefersJson(request.headers.accept)) {
      const overview = await broker.overview().catch(() => undefined);
      return reply.type(HTML_TYPE).send(renderHomePage(overview, link));
    }
    reply.header('x-robots-tag', 'noindex');
    const answer = metrics.observeAnswer(
      await broker.search({ q, from, k: PAGE_SIZE, signal: request.signal }),
    );
    if (prefersJson(request.headers.accept)) return reply.send(answer);
    return reply.type(HTML_TYPE).send(renderResultsPage(answer, from, link));
  },
});

const statusPageRoute = ({ broker, version }: RouteContext, link: AssetLink): Route<unknown> => ({
  path: '/status',
  summary: 'The state of the index as a page',
  answer: 'text/html',
  handle: async (request, reply) => {
    const overview = await broker.overview();
    reply.header('vary', 'accept').header('x-robots-tag', 'noindex');
    if (prefersJson(request.headers.accept)) return statusOf(overview, version);
    return reply.type(HTML_TYPE).send(renderStatusPage(overview, version, link));
  },
});

const registerAssets = (server: FastifyInstance, assets: ReadonlyMap<string, Asset>): void => {
  server.get<{ Params: { name: string }; Querystring: { v?: string } }>(
    '/assets/:name',
    { schema: { params: schemas.assetParams, querystring: schemas.assetQuery } },
    async (request, reply) => {
      const asset = assets.get(request.params.name);
      if (asset === undefined) return reply.callNotFound();
      const etag = `"${asset.version}"`;
      const kept = request.query.v === asset.version ? 'public, max-age=31536000, immutable' : 'no-cache';
      reply.header('etag', etag).header('cache-control', kept);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.type(asset.type).send(asset.body);
    },
  );
};

/** Routes of the server; `/openapi.json` describes them from the same list. */
export const registerRoutes = (server: FastifyInstance, context: RouteContext): void => {
  const link = assetLinks(context.assets);
  const documents: RouteDocument[] = [];
  const add = <Query>({ handle, ...document }: Route<Query>): void => {
    const { path, query, answer } = document;
    documents.push(document);
    const schema = { ...(query === undefined ? {} : { querystring: query }), ...responseOf(answer) };
    server.get<{ Querystring: Query }>(path, { schema }, handle);
  };
  add(pageRoute('/', context, link));
  add(pageRoute('/search', context, link));
  add(searchRoute(context));
  add(storedPageRoute(context));
  add(statusPageRoute(context, link));
  add(statusRoute(context));
  add(healthRoute());
  add(readyRoute(context));
  add(metricsRoute(context));
  add(openSearchRoute());
  add({
    path: '/openapi.json',
    summary: 'This description',
    answer: 'application/json',
    handle: async (_, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(openApiOf(context.version, documents, schemas.problem))),
  });
  registerAssets(server, context.assets);
};
