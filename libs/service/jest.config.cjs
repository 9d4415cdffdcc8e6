module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'service', rootDir: __dirname };
