// The Jest settings of every project. A project adds its name and, if it needs servers, its global set-up.

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: require.resolve('./environment.cjs'),
  runtime: require.resolve('./runtime.cjs'),
  // Loads workspace libraries from their sources, so that a change can be tested without a build.
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
  // Nx runs several projects at once. A second worker loads all packages again and compiles hot code again: 12 to 21%
  // more CPU time. Only the projects that take longest have two.
  maxWorkers: 1,
  // Only against hanging tests: the slowest takes 40 s on two quiet cores, and a busy machine is five times slower.
  testTimeout: 300_000,
  // totals.cjs is for the summary of `npm test`.
  reporters: ['default', require.resolve('./totals.cjs')],
};
