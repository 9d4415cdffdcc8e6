import {
  clientLimits,
  databaseUrl,
  hiveApiNodes,
  type HttpConfig,
  httpOf,
  loadConfiguration,
  type LogLevel,
  ruleOver,
  secondsAsMs,
  serviceEnvironment,
  wholeNumber,
} from '@waggle/service';
import { z } from 'zod';
import { type DelegationsSettings } from './delegations/delegations.store';
import { type IndexerSettings } from './indexer/indexer-tasks';
import { maxPageSize } from './indexer/loading/node-lists';
import { type ReadSettings } from './reads/read-settings';
import { type ResponseSettings } from './responses/response-settings';

/** The variables that both processes read. */
const sharedEnvironment = serviceEnvironment.extend({
  DATABASE_URL: databaseUrl,
});

/**
 * Every variable that the API reads; `.env.example` documents them. `…_SECONDS` variables are parsed to
 * milliseconds.
 */
export const apiEnvironment = sharedEnvironment.extend({
  PORT: wholeNumber({ max: 65_535 }).default(3_001),
  CLIENT_LIMITS: clientLimits({
    'past-requests-at-once': 1,
    'requests-per-minute': 1,
    'response-megabytes-per-minute': 1,
  }),
  DATABASE_POOL_SIZE: wholeNumber({ min: 2, max: 1_000 }).default(10),
  REQUESTS_PER_MINUTE: wholeNumber({ min: 1 }).default(1_200),
  PAST_REQUESTS_AT_ONCE: wholeNumber({ min: 1 }).default(2),
  EXPORTS_AT_ONCE: wholeNumber({ min: 1 }).default(50),
  EXPORT_SECONDS: secondsAsMs({ defaultSeconds: 300 }),
  EXPLORER: z.enum(['on', 'off']).default('on'),
});

/** Every variable that the indexer reads; `.env.example` documents them. */
export const indexerEnvironment = sharedEnvironment
  .extend({
    PORT: wholeNumber({ max: 65_535 }).default(3_101),
    HIVE_API_NODES: hiveApiNodes,
    START_FROM: z.enum(['current-state', 'first-block']).default('current-state'),
    FIRST_BLOCK: wholeNumber({ min: 1 }).default(1),
    BACKFILL: z
      .enum(['true', 'false'])
      .default('false')
      .transform((word) => word === 'true'),
    BLOCKS_PER_BATCH: wholeNumber({ min: 1, max: 1_000 }).default(100),
    POLL_INTERVAL_MS: wholeNumber({ min: 50, max: 60_000 }).default(1_000),
  })
  .refine(
    ({ START_FROM, BACKFILL }) => START_FROM === 'current-state' || !BACKFILL,
    ruleOver(['BACKFILL', 'START_FROM'], 'is for START_FROM=current-state; from the first block on nothing is missing'),
  );

/** The settings of one instance of the API, in the units of their names. */
export interface DelegationConfig extends ReadSettings, ResponseSettings {
  http: HttpConfig;
  logLevel: LogLevel;
  database: ReadSettings['database'] & DelegationsSettings;
  /** The limit of a client. */
  rateLimits: { periodSeconds: number; requests: number };
  exports: ResponseSettings['exports'];
  /** Whether `/` serves the explorer page. */
  hasExplorer: boolean;
}

/** The settings of one indexer, in the units of their names. */
export interface IndexerConfig extends IndexerSettings {
  http: HttpConfig;
  logLevel: LogLevel;
}

/** @throws ConfigurationError naming every bad or missing variable. */
export function readApiConfig(environment: Record<string, string | undefined>): DelegationConfig {
  const env = loadConfiguration(apiEnvironment, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    rateLimits: { periodSeconds: 60, requests: env.REQUESTS_PER_MINUTE },
    pastRequests: { maxConcurrent: env.PAST_REQUESTS_AT_ONCE },
    exports: { maxConcurrent: env.EXPORTS_AT_ONCE, maxDurationMs: env.EXPORT_SECONDS },
    hasExplorer: env.EXPLORER === 'on',
  };
}

/** @throws ConfigurationError naming every bad or missing variable. */
export function readIndexerConfig(environment: Record<string, string | undefined>): IndexerConfig {
  const env = loadConfiguration(indexerEnvironment, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL },
    hive: { nodes: env.HIVE_API_NODES },
    startFrom: env.START_FROM,
    firstBlock: env.FIRST_BLOCK,
    backfills: env.BACKFILL,
    blocksPerBatch: env.BLOCKS_PER_BATCH,
    pollIntervalMs: env.POLL_INTERVAL_MS,
    pageSize: maxPageSize,
  };
}
