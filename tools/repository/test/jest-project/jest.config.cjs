module.exports = { ...require('../../../jest/base.cjs'), rootDir: __dirname, testMatch: ['<rootDir>/*.sample.ts'] };
