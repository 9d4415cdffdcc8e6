import { Module, type DynamicModule } from '@nestjs/common';
import { ExistingAccounts, type HiveClient, KeyChecks, SignedProofs } from '@waggle/chain';
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
import { Accounts } from './accounts';
import { type ChatConfig } from './config';
import { CONVERSATION_SETTINGS } from './membership/conversation-settings';
import { REALTIME_SETTINGS } from './realtime/realtime-settings';
import { RETENTION_SETTINGS } from './retention/retention.service';
import { SESSION_SETTINGS } from './sessions/session-settings';
import { PRESENCE_REGISTER, PresenceInMemory, PresenceInRedis } from './presence/presence-register';
import { FrameLimits } from './realtime/frame-limits';
import { AddressLimits } from './address-limits';
import { AdoptedTimeline } from './log/adopted-timeline';
import { BUS, type Bus } from './delivery/bus';
import { loginRoles } from './sessions/login.service';

/** Clients and shared services that the platform is created from. */
interface Foundations {
  logger: Logger;
  metrics: Registry;
  hive: HiveClient;
  /** What instances share over Redis; without it all state is in this process. */
  redis?: { prefix: string; commands: RedisClient; bus: Bus } | undefined;
}

/** Creates the dependencies of the features. Connects nothing. */
export function createPlatform(config: ChatConfig, foundations: Foundations) {
  const { logger, metrics, redis } = foundations;
  return {
    config,
    logger,
    responseLimits: new ResponseLimits(config.http.responses, metrics),
    addressLimits: new AddressLimits(
      config.addressLimits,
      redis && { redis: redis.commands, prefix: `${redis.prefix}limit:` },
    ),
    ...createSignatureLogin(config, foundations, { roles: loginRoles, keyChecksCounter: 'chat_key_checks_total' }),
    timeline: new AdoptedTimeline(),
    /** Undefined if there is one instance. */
    bus: redis?.bus,
    presence:
      redis === undefined ? new PresenceInMemory() : new PresenceInRedis(redis.commands, `${redis.prefix}presence:`),
  };
}

/** Dependencies of the features that are created before the application. */
export type Platform = ReturnType<typeof createPlatform>;

/** Makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot(platform: Platform): DynamicModule {
    const providers = [
      { provide: SESSION_SETTINGS, useValue: platform.config },
      { provide: REALTIME_SETTINGS, useValue: platform.config },
      { provide: CONVERSATION_SETTINGS, useValue: platform.config },
      { provide: RETENTION_SETTINGS, useValue: platform.config.retention },
      { provide: LOGGER, useValue: platform.logger },
      { provide: AddressLimits, useValue: platform.addressLimits },
      { provide: ResponseLimits, useValue: platform.responseLimits },
      { provide: AuthenticationLimiter, useValue: new AuthenticationLimiter() },
      { provide: ListReads, useValue: new ListReads(platform.responseLimits) },
      { provide: FrameLimits, useValue: new FrameLimits(platform.config.accountLimits.frames) },
      { provide: ExistingAccounts, useValue: platform.existingAccounts },
      { provide: SignedProofs, useValue: platform.proofs },
      { provide: KeyChecks, useValue: platform.keyChecks },
      { provide: AdoptedTimeline, useValue: platform.timeline },
      { provide: BUS, useValue: platform.bus },
      { provide: PRESENCE_REGISTER, useValue: platform.presence },
      { provide: POOL, inject: [DataSource], useFactory: poolOf },
    ];
    return {
      module: PlatformModule,
      global: true,
      providers: [...providers, Accounts],
      exports: [...providers.map(({ provide }) => provide), Accounts],
    };
  }
}
