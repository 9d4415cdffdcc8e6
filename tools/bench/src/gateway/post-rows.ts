import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryFolder } from '@waggle/running/repository-folder';
import { withDatabase } from '@waggle/testing';
import { type Client } from 'pg';
import { z } from 'zod';

const app = path.join(repositoryFolder, 'apps/rpc-gateway');
const rankings = z.object({ fillRankings: z.custom<(client: Client) => Promise<void>>() });

/** Above the head block of every node, so that the index is not behind. */
const checkpoint = `INSERT INTO chain_checkpoint (name, block_number, block_id, block_time, applied_at)
  VALUES ('rpc-gateway', 1000000000, '', date_trunc('second', now()), now())`;

/** Fills an empty index with the rows of the tests of the gateway. */
export async function fillPosts(databaseUrl: string, posts: number): Promise<void> {
  const text = await readFile(path.join(app, 'test/support/large-index.sql'), 'utf8');
  const { fillRankings } = rankings.parse(await import(path.join(app, 'dist/indexer/changeset/rankings.js')));
  await withDatabase(databaseUrl, async (client) => {
    await client.query(text.replaceAll(':posts', String(posts)));
    await client.query(checkpoint);
    await fillRankings(client);
    await client.query('VACUUM (ANALYZE)');
  });
}

/** Returns the parameters `"author":…,"permlink":…` of posts: of some thousand, or of those with many replies. */
export async function postLinks(databaseUrl: string, minReplies: number): Promise<string[]> {
  return await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ author: string; permlink: string }>(
      `SELECT a.name AS author, p.permlink FROM post p JOIN account a ON a.id = p.author_id
       WHERE p.depth = 0 AND p.children >= $1 ORDER BY md5(p.id::text) LIMIT 2000`,
      [minReplies],
    );
    return rows.map(({ author, permlink }) => `"author":"${author}","permlink":"${permlink}"`);
  });
}
