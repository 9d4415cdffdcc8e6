module.exports = { ...require('../tools/jest/base.cjs'), displayName: 'tools', rootDir: __dirname };
