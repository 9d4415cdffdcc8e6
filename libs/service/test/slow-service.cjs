// A service as a process, which leaves /slow without an answer and gives a drain little time: 2 s of it are for the rest.
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
    logger.info('asked');
    return new Promise(() => undefined);
  });
  await serve(app, { logger, readiness: new Readiness([]), host: '127.0.0.1', port: 0, drainLimitMs: 2_100 });
});
