import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { HiveClient } from '@waggle/chain';
import {
  clientFinder,
  createApplication,
  createLogger,
  createMetrics,
  handleInTurn,
  type Logger,
  poolOf,
  RateLimiter,
  Readiness,
  RequestLimitGuard,
  requireMigrated,
  ResponseLimits,
  serveDocument,
} from '@waggle/service';
import { countHiveCalls } from '@waggle/service/chain';
import { DataSource } from 'typeorm';
import { openApiDocument } from './api-description/open-api';
import { openRpcDocument } from './local/open-rpc';
import { AppModule } from './app.module';
import { type GatewayConfig } from './config';
import { IndexStatus } from './index-state/index-status';
import { reportIndex } from './index-state/needs';
import { LocalCalls } from './local/local-calls';
import { createSources } from './local/declaration/sources';
import { CallMetrics } from './endpoints/call-metrics';
import { observeIndex } from './index-state/index-metrics';
import { gatewayRestErrors } from './rest-errors';
import { RouteTable } from './routes/route-table';
import { CallRateLimiter } from './endpoints/call-rate-limiter';
import { CallsInFlight } from './endpoints/calls-in-flight';
import { LongBodies } from './endpoints/long-bodies';
import { Dispatcher } from './endpoints/dispatcher';
import { createEndpoints, endpointPaths, mountEndpoints } from './endpoints/endpoints';
import { serveStatus } from './status/serve-status';
import { openUpstream } from './upstream/open-upstream';

export interface Gateway {
  app: NestFastifyApplication;
  logger: Logger;
  readiness: Readiness;
}

/** Room for the names of a stream with the maximum number of accounts, 19 bytes each with an encoded comma. */
const maxHeaderBytes = 32 * 1024;

/**
 * Creates the API role with its connections open, not yet listening. Closing the application closes the connections.
 */
export async function createGateway(
  config: GatewayConfig,
  logger = createLogger('rpc-gateway', config.logLevel),
): Promise<Gateway> {
  const metrics = createMetrics();
  const responseLimits = new ResponseLimits(config.http.responses, metrics);
  const { upstream, backends, head, requireNode, close } = await openUpstream(config, logger, metrics);
  const readiness = new Readiness(
    [
      // Fails if the tables are missing, which `SELECT 1` would not.
      { name: 'database', check: () => app.get(DataSource).query('SELECT FROM index_state') },
      { name: 'upstream', check: requireNode },
    ],
    {
      details: () => ({ index: reportIndex(index.view) }),
      // Nodes respond to forwarded calls without PostgreSQL; the index and the cache respond without nodes.
      canServe: ({ database, upstream }) => database === 'up' || upstream === 'up',
    },
  );
  const app: NestFastifyApplication = await createApplication(
    AppModule.forRoot(config, { readiness, metrics, logger, responseLimits, index: () => index.view }),
    {
      logger,
      metrics,
      restErrors: gatewayRestErrors,
      corsOrigins: config.http.corsOrigins,
      trustedProxies: config.http.trustedProxies,
      namedClients: config.http.namedClients,
      responseLimits,
      compressesResponses: true,
      mountedRoutes: endpointPaths.map((url) => ({ method: 'POST', url })),
      // A HEAD request would open a stream.
      getsWithEffects: ['/events'],
      maxHeaderBytes,
    },
  );
  await requireMigrated(app.get(DataSource), 'rpc-gateway');
  const database = poolOf(app.get(DataSource));
  const index = new IndexStatus({ database, head, logger, ...config.index });
  observeIndex(metrics, index);
  await index.start();
  const table = new RouteTable(config.routes.routes);
  const cursorBackends = config.routes.backends.filter(({ sharesCursors }) => sharesCursors).map(({ name }) => name);
  // Changes of the nodes are logged by the backends, which call them more often.
  const hive = new HiveClient({ urls: config.hive.nodes, onOutcome: countHiveCalls(metrics) });
  const sources = createSources(database, hive);
  const localCalls = new LocalCalls(sources, index, upstream, new Set(cursorBackends));
  const { periodSeconds, calls: maxCalls, inFlight, requests: max } = config.rateLimits;
  app.useGlobalGuards(
    new RequestLimitGuard(
      new RateLimiter({ name: 'requests-per-minute', what: 'requests from this address', max, periodSeconds }),
    ),
  );
  const calls = new CallMetrics(metrics);
  const endpoints = createEndpoints({
    dispatcher: new Dispatcher(table, localCalls, upstream, calls, logger),
    rateLimiter: new CallRateLimiter(maxCalls, periodSeconds),
    inFlight: new CallsInFlight(inFlight),
    longBodies: new LongBodies(),
    maxResponseBytes: config.maxResponseBytes,
    responseLimits,
    logger,
    corsOrigins: config.http.corsOrigins,
    clientOf: clientFinder(config.http),
  });
  const http = app.getHttpAdapter().getInstance();
  serveDocument(http, '/docs/openapi.json', openApiDocument);
  serveDocument(http, '/docs/openrpc.json', openRpcDocument);
  if (config.hasStatusPage) serveStatus(http, { backends, head, index, calls });
  // Runs when the HTTP server is closed: calls in flight need the nodes until then.
  http.addHook('onClose', async () => {
    index.stop();
    await Promise.all([close(), hive.close()]);
  });
  mountEndpoints(app.getHttpServer(), endpoints);
  handleInTurn(app.getHttpServer());
  return { app, logger, readiness };
}
