module.exports = { ...require('../jest/base.cjs'), displayName: 'site', rootDir: __dirname };
