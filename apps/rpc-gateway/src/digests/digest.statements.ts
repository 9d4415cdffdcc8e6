import { sql, Statement } from '@waggle/service';
import { indexDigestTable } from './index-digest.entity';

export const insertDigest = new Statement({
  name: 'index-digest-insert',
  text: `
    INSERT INTO index_digest (block_number, computed_at, document) VALUES ($1, now(), $2) ON CONFLICT DO NOTHING`,
  parameters: { blockNumber: indexDigestTable.blockNumber, document: indexDigestTable.document },
  columns: {},
});

export const digestAt = new Statement({
  name: 'index-digest-at',
  text: 'SELECT document FROM index_digest WHERE block_number = $1',
  parameters: { blockNumber: indexDigestTable.blockNumber },
  columns: { document: indexDigestTable.document },
});

export const lastDigestBlock = new Statement({
  name: 'index-digest-last',
  text: 'SELECT block_number FROM index_digest ORDER BY block_number DESC LIMIT 1',
  parameters: {},
  columns: { block_number: indexDigestTable.blockNumber },
});

/** The lock of the process that computes the digests; of several indexers one does. */
export const lockDigests = new Statement({
  name: 'index-digest-lock',
  text: `SELECT pg_try_advisory_lock(hashtextextended('gateway index digests', 0)) AS "isLocked"`,
  parameters: {},
  columns: { isLocked: sql.notNull(sql.bool) },
});
