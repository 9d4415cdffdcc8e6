module.exports = {
  ...require('../../tools/jest/base.cjs'),
  displayName: 'video-auth',
  rootDir: __dirname,
  globals: { testServers: ['postgres', 'redis'] },
  globalSetup: '../../libs/testing/src/jest/global-setup.ts',
  globalTeardown: '../../libs/testing/src/jest/global-teardown.ts',
};
