import table from '../fixtures/signatures.json';

/** One row of the fixture file; README.md explains the fields. */
export interface FixtureRow {
  readonly name: string;
  readonly text: string;
  readonly signature: string;
  readonly publicKey: string;
  readonly expect: string;
  readonly hiveJsAccepts?: boolean;
}

export const fixture: readonly FixtureRow[] = table;
