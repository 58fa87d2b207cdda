export type { Answer, AnswerHit, AnswerTimes, MissingShard, ShardCounts } from './broker/answer.ts';
export type { Broker, BrokerOptions, IndexOverview } from './broker/broker.ts';
export { createBroker } from './broker/broker.ts';
export type { SearchOptions, TierRule } from './broker/request.ts';
export { MAX_RESULT, TIER_RULES } from './broker/request.ts';
export type { QueryConfig } from './config.ts';
export { queryConfig } from './config.ts';
export { queryErrors } from './errors.ts';
export type {
  EvaluateOptions,
  Evaluation,
  EvaluationQuery,
  Grades,
  Judgments,
  MetricName,
  Metrics,
  QueryEvaluation,
  RandomisationTest,
  RankedResult,
  Tops,
} from './evaluation/index.ts';
export {
  EVALUATION_DEPTH,
  evaluate,
  formatTops,
  METRIC_NAMES,
  parseJudgments,
  parseQueries,
  parseTops,
  randomisationTest,
  runFromTops,
  seededRandom,
  topsKey,
} from './evaluation/index.ts';
export { isLoopback } from './http/security.ts';
export type { SearchServer, ServerOptions } from './http/server.ts';
export { createServer } from './http/server.ts';
export type { QueryMode } from './language/draft.ts';
export { QUERY_MODES } from './language/draft.ts';
export { parseQuery } from './language/parser.ts';
export { plainWords } from './language/plain-words.ts';
export type { PlanContext, PlannedQuery } from './language/planner.ts';
export { planQuery } from './language/planner.ts';
export type { Expansion, Expansions } from './language/prefixes.ts';
export { queryLanguages } from './language/query-languages.ts';
export { parseSite } from './language/site.ts';
export type { QueryNode, QueryTree } from './language/tree.ts';
export { formatTree } from './language/tree.ts';
export type { QueryWarning, WarningCode } from './language/warnings.ts';
