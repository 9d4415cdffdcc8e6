import { Module, type DynamicModule } from '@nestjs/common';
import { videoAuthority } from '@waggle/contracts';
import { type Platform, PlatformModule } from '@waggle/service';
import { SignatureLoginModule } from '@waggle/service/login';
import { ChallengesModule } from './challenges/challenges.module';
import { type VideoAuthConfig } from './config';
import { videoAuthDatabase } from './database';
import { LoginModule } from './login/login.module';
import { SessionsModule } from './sessions/sessions.module';
import { TokensModule } from './tokens/tokens.module';

/** Composes the video log-in from one module per feature. */
@Module({})
export class AppModule {
  static forRoot(config: VideoAuthConfig, platform: Platform): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forRoot(platform, { database: videoAuthDatabase(config.database) }),
        SignatureLoginModule.forRoot(config, {
          roles: [videoAuthority],
          keyChecksCounter: 'video_auth_key_checks_total',
          sharedState: 'used proofs, challenges and rate limits',
        }),
        LoginModule,
        ChallengesModule.forRoot({ ...config.challenges, maxAgeMs: config.login.maxAgeMs }, config.rateLimits),
        SessionsModule,
        TokensModule.forRoot(config.tokens),
      ],
    };
  }
}
