import { toVideoAuthErrorBody, videoAuthRestErrors } from '@waggle/contracts';
import { createLogger, createService, Platform, RateLimiter, type Service } from '@waggle/service';
import { describeApi } from '@waggle/service/api-description';
import { videoAuthDescription } from './api-description/video-auth-description';
import { AppModule } from './app.module';
import { type VideoAuthConfig } from './config';
import { findAccountOf } from './sessions/session.guard';
import { readJsonStrictly } from './strict-bodies';

/** Creates the video log-in. */
export function createVideoAuth(
  config: VideoAuthConfig,
  logger = createLogger('video-auth', config.logLevel),
): Promise<Service> {
  const platform = new Platform('video-auth', config.http, logger, {
    // Other services verify tokens by the JWKS, which needs no dependency. Without Redis, checks of tokens work too.
    canServe: () => true,
  });
  const { periodSeconds, checks: max } = config.rateLimits;
  // Higher than for other requests, because a backend checks the tokens of all its users from one address.
  const checks = new RateLimiter({ name: 'checks-per-minute', what: 'checks from this address', max, periodSeconds });
  return createService(AppModule.forRoot(config, platform), platform, {
    restErrors: videoAuthRestErrors,
    errorBody: toVideoAuthErrorBody,
    requestLimit: config.rateLimits,
    ownRequestLimits: { '/api/v1/auth/check': checks },
    accountOf: findAccountOf,
    home: '/api/v1/docs',
    mount: (app) => {
      readJsonStrictly(app);
      describeApi(app, videoAuthDescription());
    },
  });
}
