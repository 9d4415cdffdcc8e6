module.exports = {
  ...require('../../tools/jest/base.cjs'),
  displayName: 'delegation',
  rootDir: __dirname,
  globals: { testServers: ['postgres'] },
  globalSetup: '../../libs/testing/src/jest/global-setup.ts',
  globalTeardown: '../../libs/testing/src/jest/global-teardown.ts',
};
