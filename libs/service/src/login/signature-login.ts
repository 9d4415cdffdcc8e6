import { type ProofWindow } from '@waggle/chain';
import { z } from 'zod';
import { databaseUrl, hiveApiNodes, redisUrls, secondsAsMs, wholeNumber } from '../variables';
import { type DatabaseSettings } from '../database/connection';
import { type Dependency } from '../observability/awaited-dependency';
import { redisDependency } from '../redis/redis-dependency';

/**
 * The variables of a service with log-ins by signature, besides `TRUSTED_ACCOUNTS`: this library does not know the
 * syntax of account names. A service's schema extends `serviceEnvironment` by them.
 *
 * @param redisPrefix the default of `REDIS_PREFIX`
 */
export const signatureLoginVariables = (redisPrefix: string) => ({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: wholeNumber({ min: 2, max: 1_000 }).default(10),
  REDIS_URL: redisUrls.optional(),
  REDIS_PREFIX: z.string().min(1).max(64).default(redisPrefix),
  HIVE_API_NODES: hiveApiNodes,
  AUTHORITY_CACHE_SECONDS: secondsAsMs({ defaultSeconds: 60 }),
  LOGIN_MAX_AGE_SECONDS: secondsAsMs({ defaultSeconds: 5 * 60 }),
  LOGIN_MAX_AHEAD_SECONDS: secondsAsMs({ defaultSeconds: 60 }),
  KEY_CHECK_SECONDS: secondsAsMs({ defaultSeconds: 5 * 60 }),
  KEY_CHECK_GRACE_SECONDS: secondsAsMs({ defaultSeconds: 60 * 60 }),
});

type SignatureLoginEnvironment = z.infer<z.ZodObject<ReturnType<typeof signatureLoginVariables>>> & {
  TRUSTED_ACCOUNTS: string[];
};

/** The settings of a service with log-ins by signature. */
export interface SignatureLoginConfig {
  database: DatabaseSettings;
  /**
   * `urls`: one Redis, or nodes of a cluster. `prefix`: of every key and pub/sub channel, so that deployments may share
   * a Redis.
   */
  redis: { urls: string[]; prefix: string } | undefined;
  hive: { nodes: string[]; authorityCacheMs: number; trustedAccounts: string[] };
  /** Maximum age of the signed time of a log-in proof, and maximum time that it is in the future. */
  login: ProofWindow;
  /**
   * `confirmationMs`: how long the chain's confirmation of a session's key lasts. `graceMs`: how much longer the
   * session continues while the key cannot be confirmed.
   */
  keyChecks: { confirmationMs: number; graceMs: number };
}

/** Derives the settings from the variables. */
export function signatureLoginOf(env: SignatureLoginEnvironment): SignatureLoginConfig {
  return {
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    redis: env.REDIS_URL === undefined ? undefined : { urls: env.REDIS_URL, prefix: env.REDIS_PREFIX },
    hive: {
      nodes: env.HIVE_API_NODES,
      authorityCacheMs: env.AUTHORITY_CACHE_SECONDS,
      trustedAccounts: env.TRUSTED_ACCOUNTS,
    },
    login: { maxAgeMs: env.LOGIN_MAX_AGE_SECONDS, maxAheadMs: env.LOGIN_MAX_AHEAD_SECONDS },
    keyChecks: { confirmationMs: env.KEY_CHECK_SECONDS, graceMs: env.KEY_CHECK_GRACE_SECONDS },
  };
}

/** What a process waits for besides PostgreSQL. */
export function signatureLoginDependencies({ redis }: Pick<SignatureLoginConfig, 'redis'>): Dependency[] {
  return redis === undefined ? [] : [redisDependency(redis.urls)];
}
