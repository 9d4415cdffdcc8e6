import path from 'node:path';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { delegationRestErrors } from '@waggle/contracts';
import {
  createApplication,
  createLogger,
  createMetrics,
  handleInTurn,
  type Logger,
  POOL,
  RateLimiter,
  pageHeaders,
  Readiness,
  requireMigrated,
  RequestLimitGuard,
  ResponseLimits,
  serveFiles,
} from '@waggle/service';
import { describeApi } from '@waggle/service/api-description';
import { type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { delegationDescription } from './api-description/delegation-description';
import { AppModule } from './app.module';
import { type DelegationConfig } from './config';
import { findKnown } from './index-state/known.statement';

/** The page of `@waggle/pages`, which the build copies. */
const explorer = path.resolve(__dirname, '../dist/pages');

export interface DelegationApi {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

/** The API role, complete and connected, not yet listening. Closing the application closes what was opened here. */
export async function createDelegationApi(
  config: DelegationConfig,
  logger = createLogger('delegation', config.logLevel),
): Promise<DelegationApi> {
  const metrics = createMetrics();
  const readiness = new Readiness([
    { name: 'database', check: () => app.get(DataSource).query('SELECT 1') },
    // Before the first state is loaded there is nothing to answer with. That the indexer lags is said in each answer.
    { name: 'index', check: () => findKnown(app.get<Pool>(POOL)) },
  ]);
  const app: NestFastifyApplication = await createApplication(AppModule.forRoot(config, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: delegationRestErrors,
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
    responseLimits: new ResponseLimits(config.http.responses, metrics),
    compressesResponses: true,
  });
  describeApi(app, delegationDescription);
  if (config.hasExplorer)
    serveFiles(app.getHttpAdapter().getInstance(), { url: '/', folder: explorer, headers: pageHeaders() });
  await requireMigrated(app.get(DataSource), 'delegation');
  // At this instance alone: no answer is worth a question to another server.
  const { requests: max, periodSeconds } = config.rateLimits;
  app.useGlobalGuards(
    new RequestLimitGuard(new RateLimiter({ what: 'requests from this address', max, periodSeconds })),
  );
  handleInTurn(app.getHttpServer());
  return { app, logger, readiness };
}
