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
import { findIndexPosition } from './index-state/index-position.statements';

/** The page of `@waggle/pages`, which the build copies. */
const explorer = path.resolve(__dirname, '../dist/pages');

export interface DelegationApi {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

/** Creates the API role: complete and connected, not yet listening. Closing the application closes its connections. */
export async function createDelegationApi(
  config: DelegationConfig,
  logger = createLogger('delegation', config.logLevel),
): Promise<DelegationApi> {
  const metrics = createMetrics();
  const readiness = new Readiness([
    { name: 'database', check: () => app.get(DataSource).query('SELECT 1') },
    // Not ready before the first state is loaded. The lag of the indexer is in each response.
    { name: 'index', check: () => findIndexPosition(app.get<Pool>(POOL)) },
  ]);
  const app: NestFastifyApplication = await createApplication(AppModule.forRoot(config, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: delegationRestErrors,
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
    namedClients: config.http.namedClients,
    responseLimits: new ResponseLimits(config.http.responses, metrics),
    compressesResponses: true,
  });
  describeApi(app, delegationDescription);
  if (config.hasExplorer)
    serveFiles(app.getHttpAdapter().getInstance(), { url: '/', folder: explorer, headers: pageHeaders() });
  await requireMigrated(app.get(DataSource), 'delegation');
  // Counted per instance: a query to Redis would cost more than the response.
  const { requests: max, periodSeconds } = config.rateLimits;
  app.useGlobalGuards(
    new RequestLimitGuard(
      new RateLimiter({ name: 'requests-per-minute', what: 'requests from this address', max, periodSeconds }),
    ),
  );
  handleInTurn(app.getHttpServer());
  return { app, logger, readiness };
}
