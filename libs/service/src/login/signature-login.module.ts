import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import {
  AccountAuthorities,
  AccountSignatures,
  ExistingAccounts,
  HiveClient,
  KeyChecks,
  type KeyChecksOptions,
  maxAccountsBytes,
  SignedProofs,
} from '@waggle/chain';
import { awaitHiveNode, observeHiveClient } from '../chain/hive-nodes';
import { AuthenticationLimiter } from '../limits/authentication-limiter';
import { Platform } from '../platform/platform';
import { type SingleUse, SingleUseInMemory, SingleUseInRedis } from '../single-use';
import { LoginLimits, type LoginLimitSettings } from './login-limits';
import { observeKeyChecks } from './observe-key-checks';
import { openSharedRedis, SHARED_REDIS, type SharedRedis } from './shared-redis';
import { type SignatureLoginConfig } from './signature-login';

type Config = SignatureLoginConfig & { readonly rateLimits: LoginLimitSettings };

interface SignatureLoginOptions {
  /** The roles of an account whose keys sessions need. */
  readonly roles: KeyChecksOptions['roles'];
  /** The name of the counter of key checks; each service has its own. */
  readonly keyChecksCounter: string;
  /** What instances share over Redis, for the log. */
  readonly sharedState: string;
}

/** Checks accounts, the proofs of log-ins and the keys of sessions by the chain, and connects the shared Redis. */
@Module({})
export class SignatureLoginModule {
  static forRoot(config: Config, options: SignatureLoginOptions): DynamicModule {
    const providers = providersOf(config, options);
    return {
      module: SignatureLoginModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

function providersOf(
  { hive: { nodes, authorityCacheMs, trustedAccounts }, redis, login, keyChecks, rateLimits }: Config,
  { roles, keyChecksCounter, sharedState }: SignatureLoginOptions,
): FactoryProvider[] {
  return [
    {
      provide: SHARED_REDIS,
      inject: [Platform],
      useFactory: (platform: Platform) => openSharedRedis(platform, redis, sharedState),
    },
    { provide: HiveClient, inject: [Platform], useFactory: (platform: Platform) => openHive(platform, nodes) },
    {
      provide: ExistingAccounts,
      inject: [HiveClient],
      useFactory: (hive: HiveClient) => new ExistingAccounts(hive, { ttlMs: authorityCacheMs }),
    },
    {
      provide: AccountSignatures,
      inject: [HiveClient],
      useFactory: (hive: HiveClient) =>
        new AccountSignatures(new AccountAuthorities(hive), { trustedAccounts, maxAgeMs: authorityCacheMs }),
    },
    {
      provide: SignedProofs,
      inject: [AccountSignatures, SHARED_REDIS],
      useFactory: (signatures: AccountSignatures, shared: SharedRedis | undefined) =>
        new SignedProofs(signatures, usedProofsIn(shared), login),
    },
    {
      provide: KeyChecks,
      inject: [AccountSignatures, Platform],
      useFactory: (signatures: AccountSignatures, { metrics, logger }: Platform) =>
        new KeyChecks(signatures, { roles, ...keyChecks, ...observeKeyChecks(keyChecksCounter, metrics, logger) }),
    },
    {
      provide: LoginLimits,
      inject: [SHARED_REDIS],
      useFactory: (shared: SharedRedis | undefined) => new LoginLimits(rateLimits, shared),
    },
    { provide: AuthenticationLimiter, useFactory: () => new AuthenticationLimiter() },
  ];
}

function openHive(platform: Platform, urls: string[]): HiveClient {
  const { logger, metrics, readiness } = platform;
  const hive = new HiveClient({ urls, maxResponseBytes: maxAccountsBytes, ...observeHiveClient(metrics, logger) });
  const node = awaitHiveNode(hive, logger);
  readiness.add(node);
  platform.onClose(async () => {
    node.stop();
    await hive.close();
  });
  return hive;
}

function usedProofsIn(redis: SharedRedis | undefined): SingleUse {
  return redis === undefined ? new SingleUseInMemory() : new SingleUseInRedis(redis.commands, `${redis.prefix}proof:`);
}
