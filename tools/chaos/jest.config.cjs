module.exports = { ...require('../jest/base.cjs'), displayName: 'chaos', rootDir: __dirname };
