module.exports = { ...require('../jest/base.cjs'), displayName: 'local', rootDir: __dirname };
