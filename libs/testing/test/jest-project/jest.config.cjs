// A project as the apps are: what it says of servers is what they say.
module.exports = {
  ...require('../../../../tools/jest/base.cjs'),
  rootDir: __dirname,
  testMatch: ['<rootDir>/*.sample.ts'],
  globalSetup: require.resolve('../../src/jest/global-setup.ts'),
  globalTeardown: require.resolve('../../src/jest/global-teardown.ts'),
  globals: { testServers: ['postgres', 'redis'] },
};
