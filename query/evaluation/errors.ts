import { defineErrors } from '../../shards/index.ts';

export const evaluationErrors = {
  QUERY_EVAL_BAD_QUERY: {
    exit: 2,
    message: '{file}, line {line}: not a query; a line must be {"id": "...", "text": "..."}',
  },
  QUERY_EVAL_BAD_JUDGMENT: {
    exit: 2,
    message:
      '{file}, line {line}: not a judgment; a line must be query id, document and whole grade, separated by tabs',
  },
  QUERY_EVAL_BAD_RANKING: {
    exit: 2,
    message:
      '{file}, line {line}: not a ranked result; a line must be query, URL, rank from 1 and score, separated by tabs',
  },
  QUERY_EVAL_NO_RANKING: {
    exit: 2,
    message: '{file} holds no ranked result; give a file that --tops wrote',
  },
  QUERY_EVAL_NOTHING_JUDGED: {
    exit: 2,
    message:
      'none of the {queries} queries has a relevant page among the judgments; check that both files use the same query ids',
  },
} as const;

export const fail = defineErrors(evaluationErrors);
