// The Jest settings of every project; a project adds only its name and, where it needs servers, its global set-up.

// Packages that ship ES modules only. Jest on Node 20 cannot require them, so swc turns them into CommonJS for the tests.
const esModulePackages = ['@nestjs', '@seriousme', 'jose'];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // Workspace libraries are read from their sources: no build is needed to test a change.
  testEnvironmentOptions: { customExportConditions: ['@waggle/source', 'node', 'require', 'default'] },
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.test.ts'],
  transform: {
    '\\.(ts|mts|js|mjs)$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModulePackages.join('|')})/)`],
  // Looked up in the module, not through the context that tests run in: there hive-js takes thirty times as long to sign.
  sandboxInjectedGlobals: ['Math', 'Array', 'Object', 'Number'],
  maxWorkers: 2,
  // A limit against hanging, not a measure: initdb alone took over 5 s on two cores shared with other runs.
  testTimeout: 60_000,
  // The second one counts for the last line of `npm test`.
  reporters: ['default', require.resolve('./jest-totals.cjs')],
};
