module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'chat-element', rootDir: __dirname };
