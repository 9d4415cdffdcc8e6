import path from 'node:path';
import { delegationRestErrors } from '@waggle/contracts';
import { createLogger, createService, pageHeaders, Platform, serveFiles, type Service } from '@waggle/service';
import { describeApi } from '@waggle/service/api-description';
import { delegationDescription } from './api-description/delegation-description';
import { AppModule } from './app.module';
import { type DelegationConfig } from './config';

/** The page of `@waggle/pages`, which the build copies. */
const explorer = path.resolve(__dirname, '../dist/pages');

/** Creates the API. */
export function createDelegation(
  config: DelegationConfig,
  logger = createLogger('delegation', config.logLevel),
): Promise<Service> {
  const platform = new Platform('delegation', config.http, logger);
  return createService(AppModule.forRoot(config, platform), platform, {
    restErrors: delegationRestErrors,
    compressesResponses: true,
    requestLimit: config.rateLimits,
    home: config.hasExplorer ? undefined : '/docs',
    mount: (app) => {
      describeApi(app, delegationDescription);
      if (config.hasExplorer)
        serveFiles(app.getHttpAdapter().getInstance(), { url: '/', folder: explorer, headers: pageHeaders() });
    },
  });
}
