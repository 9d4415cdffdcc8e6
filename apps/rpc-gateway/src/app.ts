import { gatewayRestErrors } from '@waggle/contracts';
import { createLogger, createService, Platform, serveDocument, type Service } from '@waggle/service';
import { openApiDocument } from './api-description/open-api';
import { AppModule } from './app.module';
import { type GatewayConfig } from './config';
import { CallMetrics } from './endpoints/call-metrics';
import { endpointPaths, type Endpoints, mountEndpoints } from './endpoints/endpoints';
import { ENDPOINTS, PATH_ENDPOINTS } from './endpoints/endpoints.module';
import { type FindPathListener } from './endpoints/path-endpoints';
import { IndexStatus } from './index-state/index-status';
import { openRpcDocument } from './local/open-rpc';
import { serveStatus } from './status/serve-status';
import { type Backend } from './upstream/backend';
import { ChainHead } from './upstream/chain-head';
import { BACKENDS } from './upstream/upstream.module';

/** Room for the names of a stream with the maximum number of accounts, 19 bytes each with an encoded comma. */
const maxHeaderBytes = 32 * 1024;

/** Creates the API. */
export function createGateway(
  config: GatewayConfig,
  logger = createLogger('rpc-gateway', config.logLevel),
): Promise<Service> {
  const platform = new Platform('rpc-gateway', config.http, logger, {
    // Nodes respond to forwarded calls without PostgreSQL; the index and the cache respond without nodes.
    canServe: ({ database, upstream }) => database === 'up' || upstream === 'up',
  });
  return createService(AppModule.forRoot(config, platform), platform, {
    restErrors: gatewayRestErrors,
    compressesResponses: true,
    requestLimit: config.rateLimits,
    mountedRoutes: endpointPaths.map((url) => ({ method: 'POST', url })),
    // A HEAD request would open a stream.
    unsafeGets: ['/events'],
    maxHeaderBytes,
    home: config.hasStatusPage ? '/status/' : '/docs/openapi.json',
    mount: (app) => {
      const fastify = app.getHttpAdapter().getInstance();
      serveDocument(fastify, '/docs/openapi.json', openApiDocument);
      serveDocument(fastify, '/docs/openrpc.json', openRpcDocument);
      if (config.hasStatusPage)
        serveStatus(fastify, {
          backends: app.get<readonly Backend[]>(BACKENDS),
          head: app.get(ChainHead),
          index: app.get(IndexStatus),
          calls: app.get(CallMetrics),
        });
      mountEndpoints(app.getHttpServer(), app.get<Endpoints>(ENDPOINTS), app.get<FindPathListener>(PATH_ENDPOINTS));
    },
  });
}
