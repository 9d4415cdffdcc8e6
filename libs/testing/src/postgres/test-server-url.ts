/** The variable with an administrator's connection string of a PostgreSQL server where tests may create databases. */
export const databaseUrlVariable = 'TEST_DATABASE_URL';

/** The variable with the id of a test run, which the names of its databases contain. */
export const runIdVariable = 'TEST_RUN_ID';

/** @throws Error outside of a run that the global set-up prepared. */
export function administratorUrl(): string {
  return read(databaseUrlVariable);
}

/** Returns the beginning of the names of all databases of a run, so that several runs may share a server. */
export function runPrefix(): string {
  return `waggle_test_${read(runIdVariable)}_`;
}

function read(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === '') {
    throw new Error(
      `${variable} is not set: name libs/testing/src/jest/global-setup.ts as globalSetup in jest.config.cjs`,
    );
  }
  return value;
}
