module.exports = { ...require('../jest/base.cjs'), displayName: 'bench', rootDir: __dirname };
