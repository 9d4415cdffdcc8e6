import { Client } from 'pg';

/** Runs statements of a document on a database, one after another. @throws Error of the first that fails, or where there are none */
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
