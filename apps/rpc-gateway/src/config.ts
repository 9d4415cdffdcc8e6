import { rpcBatchMost } from '@waggle/contracts';
import {
  databaseUrl,
  hiveApiNodes,
  type HttpConfig,
  corsOriginsOrAny,
  httpOf,
  loadConfiguration,
  type LogLevel,
  redisUrls,
  ruleOver,
  serviceEnvironment,
  wholeNumber,
} from '@waggle/service';
import { z } from 'zod';
import { localMethodNames } from './local/local-methods';
import { type RouteSettings } from './routes/read-routes';
import { routesFile } from './routes/routes-file';

/** Both roles know these. */
const sharedEnvironment = serviceEnvironment.extend({
  DATABASE_URL: databaseUrl,
  HIVE_API_NODES: hiveApiNodes,
});

/** Every variable that the API role reads, besides those that its route table names; `.env.example` documents them. */
export const apiEnvironment = sharedEnvironment.extend({
  PORT: wholeNumber({ most: 65_535 }).default(8_080),
  // Everything that it answers is public, and no cookie counts.
  CORS_ORIGINS: corsOriginsOrAny,
  DATABASE_POOL_SIZE: wholeNumber({ least: 2, most: 1_000 }).default(10),
  REDIS_URL: redisUrls.optional(),
  REDIS_PREFIX: z.string().min(1).max(64).default('waggle:rpc-gateway:'),
  ROUTES_FILE: z.string().optional(),
  CACHE_MEGABYTES: wholeNumber({ least: 1, most: 65_536 }).default(64),
  CALLS_PER_MINUTE: wholeNumber({ least: 1 }).default(6_000),
  // No batch may be too large by itself.
  CALLS_AT_ONCE: wholeNumber({ least: rpcBatchMost }).default(256),
  ANSWER_MEGABYTES: wholeNumber({ least: 1, most: 256 }).default(32),
  // Most bytes only pass through.
  RESPONSE_MEGABYTES_PER_MINUTE: wholeNumber({ least: 1, most: 1_000_000 }).default(1_200),
});

/** Every variable that the indexer role reads; `.env.example` documents them. */
export const indexerEnvironment = sharedEnvironment.extend({
  PORT: wholeNumber({ most: 65_535 }).default(8_180),
  START_BLOCK: wholeNumber({ least: 1 }).default(1),
  NOTIFICATION_DAYS: wholeNumber({ least: 1, most: 3_650 }).default(90),
  BLOCKS_PER_BATCH: wholeNumber({ least: 1, most: 1_000 }).default(100),
  POLL_INTERVAL_MS: wholeNumber({ least: 50, most: 60_000 }).default(1_000),
});

/** The settings of one instance of the API, in the units that their names say. */
export interface GatewayConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string; poolSize: number };
  /** `urls`: one Redis, or nodes of a cluster. `prefix`: of every key, so that several deployments may use one. */
  redis: { urls: string[]; prefix: string } | undefined;
  hive: { nodes: string[] };
  routes: RouteSettings;
  /** What answers that are kept in this process may take. */
  cache: { mostBytes: number };
  /** By address, in each period and under way at once. A batch counts as many calls as it has. */
  rateLimits: { periodSeconds: number; calls: number; atOnce: number };
  /** What the answers to one request may take together. */
  answersMostBytes: number;
}

/** The settings of one indexer, in the units that their names say. */
export interface IndexerConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string };
  hive: { nodes: string[] };
  /** The block that an empty database begins with. */
  startBlock: number;
  /** How long notifications are kept, by the time of the chain. */
  notificationDays: number;
  blocksPerBatch: number;
  pollIntervalMs: number;
}

/** @throws ConfigurationError naming every bad or missing variable, and every fault of the route table. */
export function readApiConfig(environment: Record<string, string | undefined>): GatewayConfig {
  const schema = apiEnvironment
    .extend({ ROUTES_FILE: routesFile({ environment, localMethods: localMethodNames }) })
    .refine(
      (env) => env.RESPONSE_MEMORY_MEGABYTES >= 2 * (env.ANSWER_MEGABYTES + 1),
      ruleOver(
        ['RESPONSE_MEMORY_MEGABYTES', 'ANSWER_MEGABYTES'],
        'must be at least twice ANSWER_MEGABYTES and 2: a client gets at most half of it, for answers and body',
      ),
    );
  const env = loadConfiguration(schema, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    redis: env.REDIS_URL === undefined ? undefined : { urls: env.REDIS_URL, prefix: env.REDIS_PREFIX },
    hive: { nodes: env.HIVE_API_NODES },
    routes: env.ROUTES_FILE,
    cache: { mostBytes: env.CACHE_MEGABYTES * 1024 * 1024 },
    rateLimits: { periodSeconds: 60, calls: env.CALLS_PER_MINUTE, atOnce: env.CALLS_AT_ONCE },
    answersMostBytes: env.ANSWER_MEGABYTES * 1024 * 1024,
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
    startBlock: env.START_BLOCK,
    notificationDays: env.NOTIFICATION_DAYS,
    blocksPerBatch: env.BLOCKS_PER_BATCH,
    pollIntervalMs: env.POLL_INTERVAL_MS,
  };
}
