module.exports = {
  ...require('../../tools/jest/base.cjs'),
  displayName: 'rpc-gateway',
  rootDir: __dirname,
  maxWorkers: 2,
  globals: { testServers: ['postgres', 'redis'] },
  globalSetup: '../../libs/testing/src/jest/global-setup.ts',
  globalTeardown: '../../libs/testing/src/jest/global-teardown.ts',
};
