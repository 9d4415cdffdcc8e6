// The Jest settings of every project; a project adds only its name and, where it needs servers, its global set-up.

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: require.resolve('./environment.cjs'),
  runtime: require.resolve('./runtime.cjs'),
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
  maxWorkers: 2,
  // A limit against hanging, not a measure: initdb alone took over 5 s on two cores shared with other runs.
  testTimeout: 60_000,
  // The second one is for the last lines of `npm test`.
  reporters: ['default', require.resolve('./totals.cjs')],
};
