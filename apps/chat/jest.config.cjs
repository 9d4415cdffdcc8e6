module.exports = { ...require('../../tools/jest.base.cjs'), displayName: 'chat', rootDir: __dirname };
