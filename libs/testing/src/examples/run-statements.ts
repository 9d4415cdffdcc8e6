import { withDatabase } from '../postgres/with-database';

/** Runs the statements of a document in sequence. @throws the error of the first that fails; Error if there are none */
export async function runStatements(databaseUrl: string, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) throw new Error('there are no statements');
  await withDatabase(databaseUrl, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
