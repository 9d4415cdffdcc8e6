import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication, createLogger, createMetrics, type Logger, Readiness } from '@waggle/service';
import { AppModule } from './app.module';
import { type GatewayConfig } from './config';

export interface Gateway {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

/** The API role, complete and connected, not yet listening. Closing the application closes what was opened here. */
export async function createGateway(
  config: GatewayConfig,
  logger = createLogger('rpc-gateway', config.logLevel),
): Promise<Gateway> {
  const metrics = createMetrics();
  const readiness = new Readiness([]);
  const app = await createApplication(AppModule.forRoot(config, { readiness, metrics }), {
    logger,
    metrics,
    restErrors: {},
    corsOrigins: config.http.corsOrigins,
    trustedProxies: config.http.trustedProxies,
  });
  return { app, logger, readiness };
}
