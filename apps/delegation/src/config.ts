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
import { type PaceLimits } from './responses/reader-pace';

/** Rows of a list that hived returns at most (DATABASE_API_SINGLE_QUERY_LIMIT). */
export const maxPageSize = 1_000;

/** The variables that both roles read. */
const sharedEnvironment = serviceEnvironment.extend({
  DATABASE_URL: databaseUrl,
});

/** Every variable that the API role reads; `.env.example` documents them. `…_SECONDS` variables are parsed to milliseconds. */
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

/** Every variable that the indexer role reads; `.env.example` documents them. */
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

/** The settings of one instance of the API, in the units that their names say. */
export interface DelegationConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string; poolSize: number };
  /** By address. */
  rateLimits: { periodSeconds: number; requests: number };
  /** Requests as of an earlier block whose cost grows with the account: the maximum number of concurrent ones of an address. */
  pastRequests: { maxConcurrent: number };
  /** CSV exports: the maximum number of concurrent ones, the longest duration of one, and the pace of readers, which only tests change. */
  exports: { maxConcurrent: number; maxDurationMs: number; pace?: PaceLimits };
  /** Whether `/` serves the explorer page. */
  hasExplorer: boolean;
}

/** The settings of one indexer, in the units that their names say. */
export interface IndexerConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string };
  hive: { nodes: string[] };
  /** How an empty database is filled: from the current delegations of a node, or from the first block on. */
  startFrom: 'current-state' | 'first-block';
  /** The first block to read, also for the backfill; there must be no older delegation. */
  firstBlock: number;
  /** Whether the history before the start of the index is read too. */
  backfills: boolean;
  /** Maximum number of blocks per call to a node, and per transaction. */
  blocksPerBatch: number;
  pollIntervalMs: number;
  /** Page size of lists that are read from nodes. */
  pageSize: number;
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

/** Injects the `DelegationConfig`. */
export const DELEGATION_CONFIG = Symbol('DelegationConfig');
