export type { Aliases } from './aliases/aliases-file.ts';
export { ALIASES, readAliases, writeAliases } from './aliases/aliases-file.ts';
export { syncFolder, TEMPORARY_SUFFIX, writeFileAtomically } from './bytes/atomic-file.ts';
export { ByteReader } from './bytes/byte-reader.ts';
export { ByteWriter } from './bytes/byte-writer.ts';
export type { FileFormat } from './bytes/file-envelope.ts';
export {
  checkHeader,
  encodeFooter,
  encodeHeader,
  FOOTER_BYTES,
  HEADER_BYTES,
  openSealed,
  sealFile,
  verifySealedFile,
} from './bytes/file-envelope.ts';
export { isDiskFull, isMissing, isSystemError, rethrowNaming } from './bytes/system-errors.ts';
export { MAX_VARINT_BYTES, putVarint } from './bytes/varint.ts';
export { maxOverMean, slotCounts } from './partition/balance.ts';
export type { MoveOptions, MoveSummary } from './partition/move-slots.ts';
export { moveSlots } from './partition/move-slots.ts';
export type { SlotMap } from './partition/partitioner.ts';
export { shardOf, slotMapOf } from './partition/partitioner.ts';
export type { PassageRequest } from './passages/passages.ts';
export { makePassage } from './passages/passages.ts';
export type {
  BlockMaxCursor,
  FrequencyCursor,
  PositionsCursor,
  PostingCursor,
} from './postings/posting-cursor.ts';
export { NO_MORE_DOCS } from './postings/posting-cursor.ts';
export type { NodeAddress } from './remote/node-connection.ts';
export { formatNodeAddress } from './remote/node-connection.ts';
export type { RemoteNodeOptions } from './remote/remote-node.ts';
export { connectNode, parseNodeAddress } from './remote/remote-node.ts';
export type { ListenAddress, ShardServer, ShardServerOptions } from './remote/shard-server.ts';
export { createShardServer } from './remote/shard-server.ts';
export {
  contribution,
  createScorer,
  inverseDocumentFrequency,
  MAX_IMPACT,
  SCORE_UNIT,
  termWeight,
  widenBound,
} from './score/bm25f.ts';
export type { Scorer } from './score/scorer.ts';
export { staticScoreOfInLinks } from './score/static-score.ts';
export type { FieldWeight, ScoringName, WeightTable } from './score/weights.ts';
export { DEFAULT_WEIGHTS, LUCENE_COMPAT_WEIGHTS, WEIGHT_TABLES } from './score/weights.ts';
export { COUNT_LIMIT } from './search/collector.ts';
export type { PhraseClause, QueryPlan, SiteFilter, TermGroup } from './search/query-plan.ts';
export type { TierChoice } from './search/tiers.ts';
export type { GenerationInfo } from './segment/current.ts';
export { attachmentFile, currentGeneration, generationFolder, shardFolder } from './segment/current.ts';
export type { OpenGeneration, SharedGeneration } from './segment/generation.ts';
export { attachGeneration, openGeneration } from './segment/generation.ts';
export type { Manifest, SegmentEntry, SegmentTier } from './segment/manifest.ts';
export { readManifest } from './segment/manifest.ts';
export type { Segment } from './segment/segment.ts';
export type { OpenSegment } from './segment/segment-reader.ts';
export type { VerifiedGeneration } from './segment/verify-generation.ts';
export { verifyGeneration } from './segment/verify-generation.ts';
export { verifySegment } from './segment/verify-segment.ts';
export type { LocalNode, NodeOptions } from './server/local-node.ts';
export { openNode } from './server/local-node.ts';
export type {
  ExpandRequest,
  FetchedPage,
  FetchRequest,
  KnownContribution,
  NodeStatus,
  PassagePiece,
  ScoreExplanation,
  SearchAnswer,
  SearchRequest,
  ShardAnswer,
  ShardClient,
  ShardContribution,
  ShardHit,
  ShardStatus,
} from './server/shard-client.ts';
export type { ContributionStatus, RefresherOptions } from './server/statistics-refresher.ts';
export { StatisticsRefresher } from './server/statistics-refresher.ts';
export type { Contribution } from './statistics/contribution-file.ts';
export { decodeContribution } from './statistics/contribution-file.ts';
export { readContributions } from './statistics/contributions.ts';
export type { Drift, ShardFigures } from './statistics/drift.ts';
export { driftFrom, relativeChange } from './statistics/drift.ts';
export { decodeEpoch } from './statistics/epoch-file.ts';
export { listEpochs, readEpochBytes, readStatistics, writeEpoch } from './statistics/epochs.ts';
export { mostFrequent } from './statistics/most-frequent.ts';
export type { PublishOptions } from './statistics/publish-statistics.ts';
export { publishStatistics } from './statistics/publish-statistics.ts';
export type { ShardStatistics } from './statistics/shard-statistics.ts';
export { sumStatistics } from './statistics/shard-statistics.ts';
export { StaticScores } from './statistics/static-scores.ts';
export type { IndexStatistics } from './statistics/statistics.ts';
export type { AnalyzeCase } from './text/analyser.ts';
export { ANALYSER_NAMES, createAnalyser, createAnalyzeInspector } from './text/analyser.ts';
export { FALLBACK_LANGUAGE } from './text/default-analyser.ts';
export { textErrors } from './text/errors.ts';
export { languageOfText } from './text/language.ts';
export type { Analyser, QueryWord, Token } from './text/token.ts';
export { BLOCK_GAP } from './text/token.ts';
export type { Clock } from './values/clock.ts';
export { systemClock } from './values/clock.ts';
export type { ConfigSchema } from './values/config.ts';
export { defineConfig } from './values/config.ts';
export type { IndexDocument } from './values/document.ts';
export type { ErrorEntry, ExitStatus } from './values/errors.ts';
export { defineErrors, QuarryError } from './values/errors.ts';
export type { FieldName, FieldText } from './values/fields.ts';
export { FIELD_NAMES } from './values/fields.ts';
export { formatBytes, formatCount, formatDuration, pluralOf } from './values/figures.ts';
export { formatKey, hash64, SLOT_COUNT, slotOf, trustUrlKey, urlKey } from './values/hash.ts';
export type { EpochNumber, HostKey, NormalUrl, ShardIndex, SlotIndex, UrlKey } from './values/ids.ts';
export { epochNumber, shardIndex, trustHostKey, trustNormalUrl } from './values/ids.ts';
export { decodeLength, lengthCode } from './values/length-code.ts';
export type { StoredPage } from './values/stored-page.ts';
export { textHashOf } from './values/text-hash.ts';
export { hostOfUrl, idOfUrl, idUrl, segmentOrderKey } from './values/url.ts';
export { VERSION } from './values/version.ts';
export type { IndexWriter, WriterOptions } from './writer/index-writer.ts';
export { openIndexWriter } from './writer/index-writer.ts';
export type { MergeLimits } from './writer/merge-policy.ts';
export { MERGE_LIMITS } from './writer/merge-policy.ts';
