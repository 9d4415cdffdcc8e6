import { type DynamicModule, Module } from '@nestjs/common';
import { type LoginLimitSettings, SHARED_REDIS, sharedLimiter, type SharedRedis } from '@waggle/service/login';
import { CHALLENGE_LIMITER, ChallengesController } from './challenges.controller';
import { CHALLENGE_SETTINGS, ChallengesService, type ChallengeSettings, ISSUED_CHALLENGES } from './challenges.service';
import { IssuedChallengesInMemory, IssuedChallengesInRedis } from './issued-challenges';

/** Texts of the service that an account signs to log in. */
@Module({})
export class ChallengesModule {
  static forRoot(settings: ChallengeSettings, { logins: max, periodSeconds }: LoginLimitSettings): DynamicModule {
    return {
      module: ChallengesModule,
      global: true,
      controllers: [ChallengesController],
      providers: [
        ChallengesService,
        { provide: CHALLENGE_SETTINGS, useValue: settings },
        {
          provide: ISSUED_CHALLENGES,
          inject: [SHARED_REDIS],
          useFactory: (redis: SharedRedis | undefined) =>
            redis === undefined
              ? new IssuedChallengesInMemory()
              : new IssuedChallengesInRedis(redis.commands, `${redis.prefix}challenge:`),
        },
        {
          provide: CHALLENGE_LIMITER,
          inject: [SHARED_REDIS],
          useFactory: (redis: SharedRedis | undefined) =>
            sharedLimiter(redis, 'challenge', {
              name: 'logins-per-minute',
              what: 'challenges for this address',
              max,
              periodSeconds,
            }),
        },
      ],
      exports: [ChallengesService],
    };
  }
}
