import { Module, type DynamicModule } from '@nestjs/common';
import { ExistingAccounts, type HiveClient, KeyChecks, SignedProofs } from '@waggle/chain';
import { videoAuthority } from '@waggle/contracts';
import {
  AuthenticationLimiter,
  ListReads,
  LOGGER,
  type Logger,
  POOL,
  poolOf,
  type Registry,
  ResponseLimits,
} from '@waggle/service';
import { createSignatureLogin } from '@waggle/service/chain';
import { type RedisClient } from '@waggle/service/redis';
import { DataSource } from 'typeorm';
import { ISSUED_CHALLENGES } from './challenges/challenges.service';
import { IssuedChallengesInMemory, IssuedChallengesInRedis } from './challenges/issued-challenges';
import { type VideoAuthConfig } from './config';
import { RateLimits } from './rate-limits/rate-limits';
import { TokenKeys } from './tokens/token-keys';

/** Opened connections, logger and metrics. */
interface Foundations {
  logger: Logger;
  metrics: Registry;
  hive: HiveClient;
  tokenKeys: TokenKeys;
  /** Undefined if used proofs, challenges and rate limits stay in this process. `prefix`: of all keys. */
  redis: { commands: RedisClient; prefix: string } | undefined;
}

/** Creates the services that the features share. */
export function createPlatform(config: VideoAuthConfig, foundations: Foundations) {
  const { logger, metrics, tokenKeys, redis } = foundations;
  return {
    config,
    logger,
    tokenKeys,
    responseLimits: new ResponseLimits(config.http.responses, metrics),
    rateLimits: new RateLimits(config.rateLimits, redis && { redis: redis.commands, prefix: `${redis.prefix}limit:` }),
    ...createSignatureLogin(config, foundations, {
      roles: [videoAuthority],
      keyChecksCounter: 'video_auth_key_checks_total',
    }),
    challenges:
      redis === undefined
        ? new IssuedChallengesInMemory()
        : new IssuedChallengesInRedis(redis.commands, `${redis.prefix}challenge:`),
  };
}

/** Services that the features share, created before the application. */
export type Platform = ReturnType<typeof createPlatform>;

/** Makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot(platform: Platform): DynamicModule {
    const providers = [
      { provide: LOGGER, useValue: platform.logger },
      { provide: TokenKeys, useValue: platform.tokenKeys },
      { provide: RateLimits, useValue: platform.rateLimits },
      { provide: ResponseLimits, useValue: platform.responseLimits },
      { provide: AuthenticationLimiter, useValue: new AuthenticationLimiter() },
      { provide: ListReads, useValue: new ListReads(platform.responseLimits) },
      { provide: ExistingAccounts, useValue: platform.existingAccounts },
      { provide: SignedProofs, useValue: platform.proofs },
      { provide: KeyChecks, useValue: platform.keyChecks },
      { provide: ISSUED_CHALLENGES, useValue: platform.challenges },
      { provide: POOL, inject: [DataSource], useFactory: poolOf },
    ];
    return {
      module: PlatformModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
