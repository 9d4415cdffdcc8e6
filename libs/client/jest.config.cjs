module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'client', rootDir: __dirname };
