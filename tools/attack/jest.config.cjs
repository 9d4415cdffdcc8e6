module.exports = { ...require('../jest/base.cjs'), displayName: 'attack', rootDir: __dirname };
