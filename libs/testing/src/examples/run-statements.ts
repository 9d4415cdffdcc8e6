import { Client } from 'pg';

/** Runs the statements of a document in sequence. @throws the error of the first that fails; Error if there are none */
export async function runStatements(databaseUrl: string, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) throw new Error('there are no statements');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
