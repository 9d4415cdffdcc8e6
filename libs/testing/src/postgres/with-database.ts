import { Client } from 'pg';

/** Runs statements over a connection of their own. */
export async function withDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs statements in sequence, each with as many of the values as it has parameters. */
export async function runEach(client: Client, texts: readonly string[], values: readonly unknown[]): Promise<void> {
  for (const text of texts) {
    const parameters = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
    await client.query(text, values.slice(0, parameters));
  }
}
