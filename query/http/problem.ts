import { STATUS_CODES } from 'node:http';
import type { FastifyError } from 'fastify';
import { QuarryError } from '../../shards/index.ts';
import type { Problem } from './schemas.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A problem document of RFC 9457; `about:blank` says that the status code tells the kind (section 4.2.1). */
export const problemOf = (status: number, detail: string, more: Partial<Problem> = {}): Problem => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
  ...more,
});

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  QUERY_NO_SHARD: 503,
  QUERY_BAD_RANGE: 400,
};

type Violation = NonNullable<FastifyError['validation']>[number];

const nameOf = ({ instancePath, params }: Violation): string => {
  const named = params['missingProperty'] ?? params['additionalProperty'];
  return typeof named === 'string' ? named : instancePath.replace(/^\//, '');
};

const detailOf = (violation: Violation): string => {
  if (violation.keyword === 'additionalProperties') return 'is not a parameter of this route';
  if (violation.keyword === 'required') return 'is missing';
  const { allowedValues } = violation.params;
  const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  return `${violation.message ?? 'is not allowed'}${allowed}`;
};

const problemOfViolations = (violations: readonly Violation[], context: string): Problem => {
  const place = context === 'querystring' ? 'query' : context;
  const errors = violations.map((violation) => ({
    in: place,
    name: nameOf(violation),
    detail: detailOf(violation),
  }));
  const detail = errors.map(({ name, detail }) => `"${name}" ${detail}`).join('; ');
  return problemOf(400, `in the ${place}: ${detail}`, { errors });
};

/** What a client may know of an error: all of its own mistakes, nothing of ours but that they happened. */
export const problemOfError = (error: FastifyError | Error): Problem => {
  if ('validation' in error && error.validation !== undefined) {
    return problemOfViolations(error.validation, error.validationContext ?? 'query');
  }
  if (error instanceof QuarryError) {
    const status = STATUS_OF_CODE[error.code] ?? 500;
    if (status !== 500) return problemOf(status, error.message, { code: error.code });
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  if (status >= 400 && status < 500) return problemOf(status, error.message);
  return problemOf(500, 'the server failed to answer; its log says why');
};
