module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'testing', rootDir: __dirname };
