module.exports = { ...require('../../tools/jest/base.cjs'), displayName: 'pages', rootDir: __dirname };
