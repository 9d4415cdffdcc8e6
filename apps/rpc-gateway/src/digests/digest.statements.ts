import { sql, Statement } from '@waggle/service';
import { indexDigestTable } from './index-digest.entity';

/** `$1` block; `$2` document. Keeps a digest that is stored already. */
export const insertDigest = new Statement({
  name: 'index-digest-insert',
  text: `
    INSERT INTO index_digest (block_number, computed_at, document) VALUES ($1, now(), $2) ON CONFLICT DO NOTHING`,
  parameters: { blockNumber: indexDigestTable.blockNumber, document: indexDigestTable.document },
  columns: {},
});

/** `$1` block. At most one row: the document of its digest. */
export const digestAt = new Statement({
  name: 'index-digest-at',
  text: 'SELECT document FROM index_digest WHERE block_number = $1',
  parameters: { blockNumber: indexDigestTable.blockNumber },
  columns: { document: indexDigestTable.document },
});

/** At most one row: the last block that has a digest. */
export const lastDigestBlock = new Statement({
  name: 'index-digest-last',
  text: 'SELECT block_number FROM index_digest ORDER BY block_number DESC LIMIT 1',
  parameters: {},
  columns: { block_number: indexDigestTable.blockNumber },
});

/** One row: whether this session got the lock, so that only one of several indexers computes the digests. */
export const lockDigests = new Statement({
  name: 'index-digest-lock',
  text: `SELECT pg_try_advisory_lock(hashtextextended('gateway index digests', 0)) AS "isLocked"`,
  parameters: {},
  columns: { isLocked: sql.notNull(sql.bool) },
});
