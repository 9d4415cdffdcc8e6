// Must be first: the SDK instruments modules that are loaded after it.
import './tracing/tracing';
export { Counter, Gauge, Histogram, Registry } from 'prom-client';
export { addressKey, ipAddressIn } from './limits/address-key';
export { createApplication } from './http/application';
export { AuthenticationLimiter } from './limits/authentication-limiter';
export { requestId, tokenIn, withoutRepeatedSlashes } from './http/read-request';
export { Batcher, type BatcherOptions, rejected } from './batching/batcher';
export { Client, clientFinder, type ClientOf } from './limits/client';
export { clientLimits, type NamedClient } from './limits/client-settings';
export { ConcurrencyLimiter } from './limits/concurrency-limiter';
export {
  ConfigurationError,
  type HttpConfig,
  httpOf,
  loadConfiguration,
  type LogLevel,
  serviceEnvironment,
} from './configuration';
export {
  anyOrigin,
  commaSeparated,
  corsOriginsOrAny,
  databaseUrl,
  fileContent,
  hiveApiNodes,
  origins,
  redisUrls,
  ruleOver,
  secondsAsMs,
  wholeNumber,
} from './variables';
export { connectionOptions, databaseOptions, type DatabaseSettings, prepareConnection } from './database/connection';
export { databaseDependency } from './database/database-dependency';
export { isDatabaseUnavailable, isDataError, isUniqueViolation } from './database/database-errors';
export { checkpointTable, ChainCheckpointEntity } from './chain/chain-checkpoint.entity';
export {
  columnTypes,
  type ColumnTypes,
  entityColumns,
  type EntityClass,
  type EntityColumn,
  tableName,
} from './database/entity-columns';
export { isPooled } from './database/server-timeouts';
export { migrate, requireMigrated } from './database/migrations';
export { resultsOf, inTransaction, POOL, poolOf, type Queryable, tolerateConnectionErrors } from './database/pool';
export * as sql from './database/sql-types';
export { type SqlType } from './database/sql-types';
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
export { descriptionText, serveDocument } from './api-description/description-text';
export { CodedError, ServiceError, unavailable } from './errors/errors';
export { newIdentifier } from './identifier';
export { type ClientLimitName } from './errors/limit-names';
export { KeyedLimiter } from './limits/keyed-limiter';
export { jsonSchemaOf, type JsonSchema } from './api-description/json-schema';
export { createLogger, LOGGER, type Logger } from './observability/logging';
export { createMetrics, DurationHistogram, observeAsDownload, observeValue } from './observability/metrics';
export { NextPageLink, type WithNextLink } from './http/next-page';
export { createService, type RequestLimit, type Service } from './platform/create-service';
export { Platform } from './platform/platform';
export { PlatformModule } from './platform/platform.module';
export { OperationsModule } from './http/operations.module';
export { pageHeaders, type PagePolicy } from './pages/page-headers';
export { serveFiles } from './pages/serve-files';
export { RateLimiter, type RateLimit } from './limits/rate-limiter';
export { Readiness } from './observability/readiness';
export { kindOfError, ThrottledLog } from './observability/throttled-log';
export { minCompressedBytes } from './responses/compress-responses';
export { Exports, type ExportLimits } from './responses/exports';
export { type ListReader, ListReads } from './responses/list-reads';
export { queueListReads } from './responses/queue-list-reads.interceptor';
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
export { type ErrorBody, frameworkCode, restErrorBody, type RestErrorBody } from './errors/rest-error-body';
export { failureText, runMain, runMigrate } from './startup/run-main';
export { runService } from './startup/run-service';
export { securityHeaders } from './http/security-headers';
export { OpenConnections } from './http/open-connections';
export { serve } from './startup/serve';
export { SharedBudget } from './limits/shared-budget';
export { generateSigningKey, isOnP256, signingKeyOf, type SigningKey } from './signing-key';
export { type Dependency } from './observability/awaited-dependency';
export { waitForDependencies } from './startup/wait-for-dependencies';
export { formatTextTable } from './text-table';
export { BatchingCounter } from './batching/batching-counter';
export { WriteCoalescer } from './batching/write-coalescer';
export { inChildSpan, inSpan, nameRequestSpan, type TraceContext, traceContext } from './tracing/tracing';
