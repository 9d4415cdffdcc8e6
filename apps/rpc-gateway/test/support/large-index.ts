import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Client } from 'pg';
import { fillRankings } from '../../src/indexer/changeset/rankings';

/** Fills a migrated, empty database as `large-index.sql` describes. @param posts at least 1,000 */
export async function fillIndex(client: Client, posts: number): Promise<void> {
  const text = await readFile(path.join(__dirname, 'large-index.sql'), 'utf8');
  await client.query(text.replaceAll(':posts', String(posts)));
  await fillRankings(client);
  await client.query('VACUUM (ANALYZE)');
}
