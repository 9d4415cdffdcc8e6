import {
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

/** Both roles know these. */
const sharedEnvironment = serviceEnvironment.extend({
  DATABASE_URL: databaseUrl,
});

/** Every variable that the API role reads; `.env.example` documents them. Values of `…_SECONDS` are in milliseconds. */
export const apiEnvironment = sharedEnvironment.extend({
  PORT: wholeNumber({ max: 65_535 }).default(3_001),
  DATABASE_POOL_SIZE: wholeNumber({ min: 2, max: 1_000 }).default(10),
  REQUESTS_PER_MINUTE: wholeNumber({ min: 1 }).default(1_200),
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
  /** Lists as files: how many at once, and how long one may take. */
  /** `pace`: of readers; only tests need another. */
  exports: { maxConcurrent: number; maxDurationMs: number; pace?: PaceLimits };
  /** Whether `/` is a page for people. */
  hasExplorer: boolean;
}

/** The settings of one indexer, in the units that their names say. */
export interface IndexerConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string };
  hive: { nodes: string[] };
  /** What an empty database begins with: the delegations that a node has now, or the first block. */
  startFrom: 'current-state' | 'first-block';
  /** Where the chain is read from, from the first block on or for the backfill: no delegation may be older. */
  firstBlock: number;
  /** Whether the history before the index began is read too. */
  backfills: boolean;
  blocksPerBatch: number;
  pollIntervalMs: number;
  /** Delegations that are asked of a node at once. */
  listedAtOnce: number;
}

/** @throws ConfigurationError naming every bad or missing variable. */
export function readApiConfig(environment: Record<string, string | undefined>): DelegationConfig {
  const env = loadConfiguration(apiEnvironment, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    rateLimits: { periodSeconds: 60, requests: env.REQUESTS_PER_MINUTE },
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
    // As many as hived answers (DATABASE_API_SINGLE_QUERY_LIMIT).
    listedAtOnce: 1_000,
  };
}

/** Injects the `DelegationConfig`. */
export const DELEGATION_CONFIG = Symbol('DelegationConfig');
