import type { TObject, TSchema } from 'typebox';

/** What OpenAPI says of a route. */
export interface RouteDocument {
  readonly path: string;
  readonly summary: string;
  readonly query?: TObject;
  /** Schema or media type of the answer to a good request. */
  readonly answer: TSchema | string;
}

const parametersOf = (query: TObject): object[] =>
  Object.entries(query.properties).map(([name, property]) => {
    const { description = '', ...schema } = property as { description?: string; default?: unknown };
    const required = schema.default === undefined && (query.required?.includes(name) ?? false);
    return { name, in: 'query', required, description, schema };
  });

const contentOf = (answer: TSchema | string): object =>
  typeof answer === 'string'
    ? { [answer]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: answer } };

const problemAnswer = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

const operationOf = ({ summary, query, answer }: RouteDocument): object => ({
  summary,
  ...(query === undefined ? {} : { parameters: parametersOf(query) }),
  responses: {
    200: { description: 'OK', content: contentOf(answer) },
    ...(query === undefined ? {} : { 400: problemAnswer('a parameter is missing or not allowed') }),
    503: problemAnswer('no shard answers'),
  },
});

/** An OpenAPI 3.1 document, whose schemas are JSON Schema as typebox writes it. */
export const openApiOf = (
  version: string,
  routes: readonly RouteDocument[],
  problemSchema: TSchema,
): object => ({
  openapi: '3.1.0',
  info: { title: 'Quarry', version, summary: 'Search over crawled sites', license: { name: 'MIT' } },
  paths: Object.fromEntries(routes.map((route) => [route.path, { get: operationOf(route) }])),
  components: { schemas: { Problem: problemSchema } },
});
