// A service as a process whose start never ends: neither the dependency responds, nor is the application created.
const { createLogger, runMain, waitForDependencies } = require('@waggle/service');

const never = () => new Promise(() => setInterval(() => undefined, 60_000));

runMain(async () => {
  const logger = createLogger('slow', 'info');
  const check = async () => {
    logger.info('checking');
    if (process.env.HANGS_AT === 'check') await never();
  };
  await waitForDependencies([{ name: 'slow', check }], { logger, host: '127.0.0.1', port: 0 });
  logger.info('creating');
  await never();
});
