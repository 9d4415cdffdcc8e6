module.exports = {
  ...require('../jest/base.cjs'),
  displayName: 'web',
  rootDir: __dirname,
  globals: { testServers: ['postgres'] },
  globalSetup: '../../libs/testing/src/jest/global-setup.ts',
  globalTeardown: '../../libs/testing/src/jest/global-teardown.ts',
};
