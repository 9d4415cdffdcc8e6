module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'devnet', rootDir: __dirname };
