import { type DynamicModule, Module } from '@nestjs/common';
import { ChallengesController } from './challenges.controller';
import { CHALLENGE_SETTINGS, ChallengesService, type ChallengeSettings } from './challenges.service';

/** Texts of the service that an account signs to log in. */
@Module({})
export class ChallengesModule {
  static forRoot(settings: ChallengeSettings): DynamicModule {
    return {
      module: ChallengesModule,
      global: true,
      controllers: [ChallengesController],
      providers: [ChallengesService, { provide: CHALLENGE_SETTINGS, useValue: settings }],
      exports: [ChallengesService],
    };
  }
}
