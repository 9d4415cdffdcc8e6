module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'contracts', rootDir: __dirname };
