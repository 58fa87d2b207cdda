import type { Scorer } from '../score/scorer.ts';
import type { Segment } from '../segment/segment.ts';
import { COUNT_LIMIT, type Collector, collectInto, MatchCounter } from './collector.ts';
import { conjunction } from './conjunction.ts';
import { countAny, countByLength } from './count-any.ts';
import { admittedDocuments } from './excluded.ts';
import { exhaustive } from './exhaustive.ts';
import { allowedDocuments } from './filters.ts';
import { kernelWords } from './kernel-words.ts';
import { maxScore } from './max-score.ts';
import type { QueryPlan } from './query-plan.ts';
import {
  type HitVisitor,
  type KernelAnswer,
  type KernelQuery,
  type SegmentKernels,
  segmentKernels,
} from './segment-kernels.ts';
import { bindQuery, isAdmitted, type SegmentQuery } from './segment-query.ts';
import { scoreBound, segmentsToAsk, type TierChoice } from './tiers.ts';
import { type RankedDocument, TopK } from './top-k.ts';

/** A plan, and the shard that it is asked of. */
export interface ShardQuery {
  readonly segments: readonly Segment[];
  readonly plan: QueryPlan;
  readonly scorer: Scorer;
  readonly k: number;
  readonly evaluation: 'pruned' | 'exhaustive';
  /** Matches counted exactly, COUNT_LIMIT by default. */
  readonly countLimit?: number;
  /** 'guaranteed' by default. */
  readonly tiers?: TierChoice;
  /** Whether the time is up: then the best so far comes back. */
  readonly isLate: () => boolean;
}

/** The best documents of a shard, and how many match. */
export interface ShardResult {
  /** Best first: score falling, then key rising. */
  readonly hits: readonly RankedDocument[];
  readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' };
  readonly isTruncated: boolean;
  /** Whether documents of the low tier were ranked; undefined where the shard has no such tier. */
  readonly lowTier: 'searched' | 'skipped' | undefined;
}

interface Run {
  readonly collector: Collector;
  readonly counter: MatchCounter;
  readonly isLate: () => boolean;
  /** That no document of the segment can enter the answer any more: then only counting is left to do. */
  readonly isHopeless: boolean;
}

/** A plan on one segment of the shard. */
interface SegmentTask {
  readonly shardQuery: ShardQuery;
  readonly segment: Segment;
  readonly collector: Collector;
  readonly counter: MatchCounter;
}

interface SegmentOutcome {
  readonly inTime: boolean;
  /** That no document of the segment could enter the answer, so that at most matches were counted. */
  readonly isHopeless: boolean;
}

/** Documents between two looks at the clock. */
const CLOCK_INTERVAL = 1024;

const runExhaustive = (query: SegmentQuery, { collector, counter, isLate }: Run): boolean => {
  let visited = 0;
  let inTime = true;
  exhaustive(query, (doc, score) => {
    counter.add();
    collector.collect(doc, score);
    if (visited++ % CLOCK_INTERVAL === 0) inTime = !isLate();
    return inTime;
  });
  return inTime;
};

/** A filter alone: every document of it matches, and only the static score tells them apart. */
const runFilter = (query: SegmentQuery, { collector, counter, isLate }: Run): boolean => {
  const { allowed, segment } = query;
  if (allowed === undefined) return true;
  let visited = 0;
  for (let doc = allowed.firstFrom(0); doc < segment.docCount; doc = allowed.firstFrom(doc + 1)) {
    if (visited++ % CLOCK_INTERVAL === 0 && isLate()) return false;
    if (!isAdmitted(query, doc)) continue;
    counter.add();
    collector.collect(doc, segment.staticScore(doc));
  }
  return true;
};

const runPruned = (query: SegmentQuery, run: Run, bindAgain: () => SegmentQuery | undefined): boolean => {
  const { collector, counter, isLate, isHopeless } = run;
  if (isHopeless && !counter.isOpen) return true;
  if (query.required.length > 0) return conjunction(query, collector, counter, isLate);
  if (query.optional.length === 0) return runFilter(query, run);
  const isCounted = !counter.isOpen || countByLength(query, counter);
  const forCounting = isCounted ? undefined : bindAgain();
  if (forCounting !== undefined) countAny(forCounting, counter);
  return isHopeless || maxScore(query, collector, isLate);
};

/** Evaluation over cursors; undefined when no document of the segment can match. */
const runCursors = ({ shardQuery, segment, collector, counter }: SegmentTask): SegmentOutcome | undefined => {
  const { plan, scorer, evaluation, isLate, tiers = 'guaranteed' } = shardQuery;
  const bind = () => bindQuery(plan, segment, scorer);
  const query = bind();
  if (query === undefined) return undefined;
  const isHopeless =
    tiers === 'guaranteed' && evaluation === 'pruned' && scoreBound(query) < collector.threshold;
  const run: Run = { collector, counter, isLate, isHopeless };
  const inTime = evaluation === 'exhaustive' ? runExhaustive(query, run) : runPruned(query, run, bind);
  return { inTime, isHopeless };
};

/** Asks the kernel for that kind of plan; undefined when there is none. */
const askKernel = (
  kernels: SegmentKernels,
  { plan, segment }: { readonly plan: QueryPlan; readonly segment: Segment },
  query: KernelQuery,
  visit: HitVisitor,
): KernelAnswer | undefined => {
  const words = kernelWords(plan, segment, query.scorer.scoresPhrases);
  if (words !== undefined) return kernels.allOf(words, query, visit);
  if (plan.optional.length > 0) return kernels.anyOf(plan.optional, query, visit);
  return plan.sites.length > 0 ? kernels.filterOnly(query, visit) : undefined;
};

/** Evaluation by a kernel; undefined when the kernels do not know that kind of plan, or not that segment. */
const runKernel = ({ shardQuery, segment, collector, counter }: SegmentTask): SegmentOutcome | undefined => {
  const { plan, scorer, k, evaluation, isLate, tiers = 'guaranteed' } = shardQuery;
  if (evaluation !== 'pruned') return undefined;
  const kernels = segmentKernels(segment);
  if (kernels === undefined) return undefined;
  // A conjunction looks excluded words up in the kernel; excluded phrases, and what "any of" leaves out, come as a set.
  const needsSet = plan.required.length + plan.phrases.length === 0 || plan.excludedPhrases.length > 0;
  const allowed = needsSet ? admittedDocuments(segment, plan, scorer) : allowedDocuments(segment, plan);
  if (allowed?.size === 0) return { inTime: true, isHopeless: false };
  const query: KernelQuery = {
    scorer,
    k,
    threshold: collector.threshold,
    countWanted: counter.missing,
    allowed,
    isLate,
  };
  const visit = (doc: number, score: number): void => collector.collect(doc, score);
  const answer = askKernel(kernels, { plan, segment }, query, visit);
  if (answer === undefined) return undefined;
  counter.add(answer.counted);
  return { inTime: !answer.isLate, isHopeless: tiers === 'guaranteed' && answer.isHopeless };
};

/**
 * Evaluates a plan over the segments of one shard, one after the other, those of the high tier first; the threshold that
 * one has reached prunes the next, or spares it altogether. Pruned evaluation is done by kernels where they know the kind of
 * plan. It gives the same answer as the exhaustive one, hits, scores and total, unless time runs out.
 */
export const evaluate = (shardQuery: ShardQuery): ShardResult => {
  const { segments, k, countLimit = COUNT_LIMIT, tiers = 'guaranteed' } = shardQuery;
  const top = new TopK(k);
  const counter = new MatchCounter(countLimit);
  let inTime = true;
  let lowTier: ShardResult['lowTier'] = segments.some(({ tier }) => tier === 'low') ? 'skipped' : undefined;
  for (const { segment, index: segmentIndex } of segmentsToAsk(segments, tiers)) {
    const collector = collectInto(top, segmentIndex, (doc) => segment.key(doc));
    const task: SegmentTask = { shardQuery, segment, collector, counter };
    const outcome = runKernel(task) ?? runCursors(task);
    if (outcome === undefined) continue;
    if (segment.tier === 'low' && !outcome.isHopeless) lowTier = 'searched';
    inTime = outcome.inTime;
    if (!inTime) break;
  }
  const { value, relation } = counter.total();
  return {
    hits: top.ranked(),
    total: { value, relation: inTime ? relation : 'gte' },
    isTruncated: !inTime,
    lowTier,
  };
};
