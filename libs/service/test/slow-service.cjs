// A service as a process that never responds to /slow, with a short drain limit. 2 s of it are reserved for the time
// after the requests.
const { createApplication, createLogger, createMetrics, Readiness, runMain, serve } = require('@waggle/service');

class SlowModule {}

runMain(async () => {
  const logger = createLogger('slow', 'info');
  const app = await createApplication(SlowModule, {
    logger,
    metrics: createMetrics(),
    restErrors: {},
    corsOrigins: [],
    trustedProxies: [],
  });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get('/slow', () => {
    logger.info('request received');
    return new Promise(() => undefined);
  });
  const { HOST: host = '127.0.0.1', DRAIN_LIMIT_MS: drainLimitMs = '2100' } = process.env;
  await serve(app, { logger, readiness: new Readiness([]), host, port: 0, drainLimitMs: Number(drainLimitMs) });
});
