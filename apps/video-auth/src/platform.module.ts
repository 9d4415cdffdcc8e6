import { Module, type DynamicModule } from '@nestjs/common';
import { ExistingAccounts, KeyChecks, SignedProofs } from '@waggle/chain';
import { AuthenticationLimiter, ListReads, LOGGER, type Logger, POOL, poolOf, ResponseLimits } from '@waggle/service';
import { DataSource } from 'typeorm';
import { ISSUED_CHALLENGES } from './challenges/challenges.service';
import { type IssuedChallenges } from './challenges/issued-challenges';
import { VIDEO_AUTH_CONFIG, type VideoAuthConfig } from './config';
import { RateLimits } from './rate-limits/rate-limits';
import { TokenKeys } from './tokens/token-keys';

/** Services that the features share, created before the application. */
export interface Platform {
  config: VideoAuthConfig;
  logger: Logger;
  tokenKeys: TokenKeys;
  rateLimits: RateLimits;
  responseLimits: ResponseLimits;
  existingAccounts: ExistingAccounts;
  proofs: SignedProofs;
  keyChecks: KeyChecks;
  challenges: IssuedChallenges;
}

/** Makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot(platform: Platform): DynamicModule {
    const providers = [
      { provide: VIDEO_AUTH_CONFIG, useValue: platform.config },
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
