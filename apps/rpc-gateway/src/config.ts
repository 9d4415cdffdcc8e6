import { maxRpcBatch } from '@waggle/contracts';
import {
  clientLimits,
  databaseUrl,
  hiveApiNodes,
  type HttpConfig,
  corsOriginsOrAny,
  httpOf,
  loadConfiguration,
  type LogLevel,
  redisUrls,
  type RequestLimit,
  ruleOver,
  secondsAsMs,
  serviceEnvironment,
  wholeNumber,
} from '@waggle/service';
import { z } from 'zod';
import { type EndpointsSettings } from './endpoints/endpoints.module';
import { type EventSettings } from './events/events.module';
import { type IndexSettings } from './index-state/index-status';
import { type FollowerSettings } from './indexer/create-follower';
import { type LocalSettings } from './local/local.module';
import { localMethodNames } from './local/local-methods';
import { type RouteSettings } from './routes/read-route-file';
import { routeFileSetting } from './routes/route-file-setting';
import { type SnapshotSettings } from './snapshot/run-snapshot';
import { type UpstreamSettings } from './upstream/open-upstream';

/** The variables of both processes. */
const sharedEnvironment = serviceEnvironment.extend({
  DATABASE_URL: databaseUrl,
  HIVE_API_NODES: hiveApiNodes,
});

/** 0: any lag makes local methods go to the nodes. `.env.example` explains the default. */
export const maxLagSeconds = wholeNumber({ max: 86_400 }).default(90);

/** The variables of the API, without those that its route table names; `.env.example` documents them. */
export const apiEnvironment = sharedEnvironment.extend({
  PORT: wholeNumber({ max: 65_535 }).default(8_080),
  CLIENT_LIMITS: clientLimits({
    'calls-at-once': maxRpcBatch,
    'calls-per-minute': 1,
    'event-streams-per-address': 1,
    'requests-per-minute': 1,
    'response-megabytes-per-minute': 1,
  }),
  // All responses are public, and the service reads no cookies.
  CORS_ORIGINS: corsOriginsOrAny,
  DATABASE_POOL_SIZE: wholeNumber({ min: 2, max: 1_000 }).default(10),
  INDEX_MAX_LAG_SECONDS: maxLagSeconds,
  REDIS_URL: redisUrls.optional(),
  REDIS_PREFIX: z.string().min(1).max(64).default('waggle:rpc-gateway:'),
  ROUTES_FILE: z.string().optional(),
  CACHE_MEGABYTES: wholeNumber({ min: 1, max: 65_536 }).default(64),
  CALLS_PER_MINUTE: wholeNumber({ min: 1 }).default(6_000),
  // A batch of maximum size must be possible. The default leaves some of the 64 connections that a backend has to each
  // node by default.
  CALLS_AT_ONCE: wholeNumber({ min: maxRpcBatch }).default(maxRpcBatch),
  REQUESTS_PER_MINUTE: wholeNumber({ min: 1 }).default(300),
  RESPONSE_MEGABYTES_PER_REQUEST: wholeNumber({ min: 1, max: 256 }).default(32),
  STATUS_PAGE: z.enum(['on', 'off']).default('on'),
  EVENT_STREAMS: wholeNumber({ min: 1, max: 1_000_000 }).default(10_000),
  EVENT_STREAMS_PER_ADDRESS: wholeNumber({ min: 1 }).default(100),
  EVENT_POLL_INTERVAL_MS: wholeNumber({ min: 10, max: 60_000 }).default(250),
  EVENT_HEARTBEAT_SECONDS: secondsAsMs({ defaultSeconds: 15, maxSeconds: 300 }),
  // Higher than in the other services: most bytes are only forwarded.
  RESPONSE_MEGABYTES_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000 }).default(1_200),
});

/** The variables of the command that exports and imports snapshots. */
const snapshotEnvironment = z.object({ DATABASE_URL: databaseUrl, HIVE_API_NODES: hiveApiNodes });

/** The variables of the indexer; `.env.example` documents them. */
export const indexerEnvironment = sharedEnvironment.extend({
  PORT: wholeNumber({ max: 65_535 }).default(8_180),
  START_BLOCK: wholeNumber({ min: 1 }).default(1),
  NOTIFICATION_DAYS: wholeNumber({ min: 1, max: 3_650 }).default(90),
  POST_BODIES: z
    .string()
    .regex(/^(all|none|recent:[1-9]\d{0,3})$/, 'must be all, none or recent:<days>')
    .default('all'),
  VOTES: z.enum(['all', 'unpaid']).default('all'),
  BLOCKS_PER_BATCH: wholeNumber({ min: 1, max: 1_000 }).default(100),
  POLL_INTERVAL_MS: wholeNumber({ min: 50, max: 60_000 }).default(1_000),
  // 30 days. Operators who compare digests need the same value.
  DIGEST_INTERVAL_BLOCKS: wholeNumber({ min: 0, max: 100_000_000 }).default(864_000),
});

/** The settings of an instance of the API, in the units of their names. */
export interface GatewayConfig extends UpstreamSettings, LocalSettings, EndpointsSettings {
  http: HttpConfig;
  logLevel: LogLevel;
  database: { url: string; poolSize: number };
  index: IndexSettings;
  routes: RouteSettings;
  /** `requests`: HTTP requests that are not calls. */
  rateLimits: EndpointsSettings['rateLimits'] & RequestLimit;
  /** Whether `/status` is a page for people. */
  hasStatusPage: boolean;
  /** Settings of `GET /events`. */
  events: EventSettings;
}

/** The settings of an indexer, in the units of their names. */
export interface IndexerConfig extends FollowerSettings {
  http: HttpConfig;
  logLevel: LogLevel;
  hive: { nodes: string[] };
  /** Digests are computed as of the multiples of this number; 0 for none. */
  digestIntervalBlocks: number;
}

/** @throws ConfigurationError naming every invalid or missing variable, and every error of the route table. */
export function readApiConfig(environment: Record<string, string | undefined>): GatewayConfig {
  const schema = apiEnvironment
    .extend({ ROUTES_FILE: routeFileSetting({ environment, localMethods: localMethodNames }) })
    .refine(
      (env) => env.RESPONSE_MEMORY_MEGABYTES >= 2 * (env.RESPONSE_MEGABYTES_PER_REQUEST + 1),
      ruleOver(
        ['RESPONSE_MEMORY_MEGABYTES', 'RESPONSE_MEGABYTES_PER_REQUEST'],
        'must be at least twice RESPONSE_MEGABYTES_PER_REQUEST and 2: a client gets at most half of it, for responses and body',
      ),
    );
  const env = loadConfiguration(schema, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    index: { maxLagSeconds: env.INDEX_MAX_LAG_SECONDS },
    redis: env.REDIS_URL === undefined ? undefined : { urls: env.REDIS_URL, prefix: env.REDIS_PREFIX },
    hive: { nodes: env.HIVE_API_NODES },
    routes: env.ROUTES_FILE,
    cache: { maxBytes: env.CACHE_MEGABYTES * 1024 * 1024 },
    rateLimits: {
      periodSeconds: 60,
      calls: env.CALLS_PER_MINUTE,
      inFlight: env.CALLS_AT_ONCE,
      requests: env.REQUESTS_PER_MINUTE,
    },
    maxResponseBytes: env.RESPONSE_MEGABYTES_PER_REQUEST * 1024 * 1024,
    hasStatusPage: env.STATUS_PAGE === 'on',
    events: {
      maxStreams: env.EVENT_STREAMS,
      maxStreamsPerAddress: env.EVENT_STREAMS_PER_ADDRESS,
      pollIntervalMs: env.EVENT_POLL_INTERVAL_MS,
      heartbeatMs: env.EVENT_HEARTBEAT_SECONDS,
    },
  };
}

/** The retention of bodies in days, null for ever: mentions need them as long as notifications are retained. */
function bodyDaysOf(setting: string, notificationDays: number): number | null {
  const [, days = '0'] = setting.split(':');
  return setting === 'all' ? null : Math.max(Number(days), notificationDays);
}

/** @throws ConfigurationError naming every invalid or missing variable. */
export function readIndexerConfig(environment: Record<string, string | undefined>): IndexerConfig {
  const env = loadConfiguration(indexerEnvironment, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL },
    hive: { nodes: env.HIVE_API_NODES },
    startBlock: env.START_BLOCK,
    notificationDays: env.NOTIFICATION_DAYS,
    bodyDays: bodyDaysOf(env.POST_BODIES, env.NOTIFICATION_DAYS),
    keepsVotes: env.VOTES === 'all',
    blocksPerBatch: env.BLOCKS_PER_BATCH,
    pollIntervalMs: env.POLL_INTERVAL_MS,
    digestIntervalBlocks: env.DIGEST_INTERVAL_BLOCKS,
  };
}

/** @throws ConfigurationError naming every invalid or missing variable. */
export function readSnapshotConfig(environment: Record<string, string | undefined>): SnapshotSettings {
  const env = loadConfiguration(snapshotEnvironment, environment);
  return { database: { url: env.DATABASE_URL }, hive: { nodes: env.HIVE_API_NODES } };
}
