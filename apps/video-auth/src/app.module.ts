import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OperationsModule, type Readiness, type Registry } from '@waggle/service';
import { ChallengesModule } from './challenges/challenges.module';
import { videoAuthDatabase } from './database';
import { LoginModule } from './login/login.module';
import { PlatformModule, type Platform } from './platform.module';
import { SessionsModule } from './sessions/sessions.module';
import { TokensModule } from './tokens/tokens.module';

/** The whole composition of the video log-in. */
@Module({})
export class AppModule {
  static forRoot(platform: Platform, operations: { readiness: Readiness; metrics: Registry }): DynamicModule {
    const { challenges, database, login, tokens } = platform.config;
    return {
      module: AppModule,
      imports: [
        OperationsModule.forRoot(operations),
        TypeOrmModule.forRoot({ ...videoAuthDatabase(database), retryAttempts: 5, retryDelay: 1_000 }),
        PlatformModule.forRoot(platform),
        LoginModule,
        ChallengesModule.forRoot({ ...challenges, maxAgeMs: login.maxAgeMs }),
        SessionsModule,
        TokensModule.forRoot(tokens),
      ],
    };
  }
}
