module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'signatures', rootDir: __dirname };
