module.exports = { ...require('../jest/base.cjs'), displayName: 'repository', rootDir: __dirname };
