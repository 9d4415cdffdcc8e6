// Requests servers the way the apps do.
module.exports = {
  ...require('../../../../tools/jest/base.cjs'),
  rootDir: __dirname,
  testMatch: ['<rootDir>/*.sample.ts'],
  globalSetup: require.resolve('../../src/jest/global-setup.ts'),
  globalTeardown: require.resolve('../../src/jest/global-teardown.ts'),
  globals: { testServers: ['postgres', 'redis'] },
};
