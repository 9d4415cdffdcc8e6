import { Module, type DynamicModule } from '@nestjs/common';
import { AccountSignatures, ExistingAccounts, SignedProofs } from '@waggle/chain';
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
  signatures: AccountSignatures;
  proofs: SignedProofs;
  challenges: IssuedChallenges;
}

/** Makes the platform injectable everywhere. */
@Module({})
export class PlatformModule {
  static forRoot({
    config,
    logger,
    tokenKeys,
    rateLimits,
    responseLimits,
    existingAccounts,
    signatures,
    proofs,
    challenges,
  }: Platform): DynamicModule {
    const providers = [
      { provide: VIDEO_AUTH_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: TokenKeys, useValue: tokenKeys },
      { provide: RateLimits, useValue: rateLimits },
      { provide: ResponseLimits, useValue: responseLimits },
      { provide: AuthenticationLimiter, useValue: new AuthenticationLimiter() },
      { provide: ListReads, useValue: new ListReads(responseLimits) },
      { provide: ExistingAccounts, useValue: existingAccounts },
      { provide: AccountSignatures, useValue: signatures },
      { provide: SignedProofs, useValue: proofs },
      { provide: ISSUED_CHALLENGES, useValue: challenges },
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
