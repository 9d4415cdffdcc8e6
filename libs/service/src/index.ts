// Must be first: the SDK instruments modules that are loaded after it.
import './tracing/tracing';
export { Counter, Gauge, Histogram, Registry } from 'prom-client';
export { addressKey, ipAddressIn } from './address-key';
export { createApplication } from './application';
export { AuthenticationLimiter } from './authentication-limiter';
export { tokenIn } from './bearer-token';
export { Batcher, type BatcherOptions, rejected } from './batcher';
export { type Client, clientAt, clientFinder, type ClientOf } from './client';
export { clientLimits, type NamedClient } from './client-settings';
export { ConcurrencyLimiter } from './concurrency-limiter';
export {
  anyOrigin,
  commaSeparated,
  ConfigurationError,
  corsOriginsOrAny,
  databaseUrl,
  fileContent,
  hiveApiNodes,
  type HttpConfig,
  httpOf,
  loadConfiguration,
  origins,
  type LogLevel,
  redisUrls,
  ruleOver,
  secondsAsMs,
  serviceEnvironment,
  wholeNumber,
} from './configuration';
export { connectionOptions, databaseOptions, type DatabaseSettings, prepareConnection } from './database/connection';
export { databaseDependency } from './database/database-dependency';
export { isDatabaseUnavailable, isDataError, isUniqueViolation } from './database/database-errors';
export { isPooled } from './database/server-timeouts';
export { migrate, requireMigrated } from './database/migrations';
export { resultsOf, inTransaction, POOL, poolOf, type Queryable, tolerateConnectionErrors } from './database/pool';
export * as sql from './database/sql-types';
export {
  declaredStatements,
  type Executor,
  isJoined,
  type RowIn,
  type RowOf,
  type SqlTypes,
  Statement,
  type ValuesOf,
} from './database/statement';
export { storable } from './database/storable';
export { descriptionText } from './description-text';
export { CodedError, ServiceError, unavailable } from './errors';
export { newIdentifier } from './identifier';
export { type ClientLimitName } from './limit-names';
export { KeyedLimiter } from './keyed-limiter';
export { jsonSchemaOf, type JsonSchema } from './json-schema';
export { createLogger, LOGGER, type Logger } from './logging';
export { createMetrics, observeAsDownload, observeValue } from './metrics';
export { AnnounceNextPage, type NextPage } from './next-page';
export { OperationsModule } from './operations.module';
export { pageHeaders, type PagePolicy } from './pages/page-headers';
export { serveFiles } from './pages/serve-files';
export { RateLimiter, type RateLimit } from './rate-limiter';
export { Readiness } from './readiness';
export { kindOfError, ThrottledLog } from './throttled-log';
export { withoutRepeatedSlashes } from './repeated-slashes';
export { requestId } from './request-id';
export { RequestLimitGuard } from './request-limit.guard';
export { minCompressedBytes } from './responses/compress-responses';
export { handleInTurn } from './responses/handle-in-turn';
export { ListReads } from './responses/list-reads';
export { piecesOf, piecesOfTexts, writePieces } from './responses/paced-pieces';
export {
  type BudgetRejection,
  rejectedRetryAfterMs,
  rejectionStatus,
  type ResponseAllowance,
  uncountedBytes,
} from './responses/response-budget';
export { ResponseLimits } from './responses/response-limits';
export { StreamedResponse } from './responses/streamed-response';
export { type ErrorBody, restErrorBody, type RestErrorBody } from './rest-error-body';
export { runMain } from './run-main';
export { runMigrate } from './run-migrate';
export { securityHeaders } from './security-headers';
export { OpenConnections } from './open-connections';
export { serve } from './serve';
export { serveDocument } from './serve-document';
export { SharedBudget } from './shared-budget';
export { generateSigningKey, isOnP256, signingKeyOf, type SigningKey } from './signing-key';
export { type Dependency } from './startup/awaited-dependency';
export { waitForDependencies } from './startup/wait-for-dependencies';
export { formatTextTable } from './text-table';
export { BatchingCounter } from './batching-counter';
export { WriteCoalescer } from './write-coalescer';
export { nameRequestSpan } from './tracing/tracing';
