module.exports = { ...require('../../tools/jest.base.cjs'), displayName: 'chain', rootDir: __dirname };
