module.exports = { ...require('../jest/base.cjs'), displayName: 'running', rootDir: __dirname };
