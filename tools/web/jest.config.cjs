module.exports = { ...require('../jest/base.cjs'), displayName: 'web', rootDir: __dirname };
