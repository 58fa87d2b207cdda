import type { Scorer } from '../score/scorer.ts';
import { evaluate } from '../search/evaluate.ts';
import { liveDocumentFrequency } from '../statistics/count-segment.ts';
import type { SearchRequest, ShardAnswer } from './shard-client.ts';
import type { Snapshot } from './snapshot.ts';

interface Evaluation {
  readonly request: SearchRequest;
  readonly scorer: Scorer;
  readonly isLate: () => boolean;
}

type ServedShard = ReturnType<Snapshot['shards']>[number];

const searchShard = (
  { shard, segments }: ServedShard,
  { request, scorer, isLate }: Evaluation,
): ShardAnswer => {
  const docCount = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  try {
    const { plan, k, evaluation, countLimit, tiers = 'guaranteed', frequenciesOf = [] } = request;
    const limit = countLimit === undefined ? {} : { countLimit };
    const { hits, total, isTruncated, lowTier } = evaluate({
      segments,
      plan,
      scorer,
      k,
      evaluation,
      tiers,
      isLate,
      ...limit,
    });
    return {
      shard,
      status: isTruncated ? 'truncated' : 'ok',
      hits: hits.map(({ key, score, segmentIndex, doc }) => ({
        key,
        score,
        shard,
        segment: segments[segmentIndex]?.id ?? 0,
        doc,
      })),
      total,
      docCount,
      lowTier,
      frequencies: frequenciesOf.map((term) => liveDocumentFrequency(segments, term)),
    };
  } catch (error) {
    // One broken shard must not take the others' answers with it: the broker reports what is missing.
    const message = error instanceof Error ? error.message : String(error);
    return {
      shard,
      status: 'failed',
      error: message,
      hits: [],
      total: { value: 0, relation: 'gte' },
      docCount,
    };
  }
};

/**
 * Asks the shards of a snapshot one after the other; from when `isLate` holds they give the best so far. Synchronous.
 */
export const searchSnapshot = (
  snapshot: Snapshot,
  request: SearchRequest,
  scorer: Scorer,
  isLate: () => boolean,
): ShardAnswer[] => snapshot.shards().map((shard) => searchShard(shard, { request, scorer, isLate }));
