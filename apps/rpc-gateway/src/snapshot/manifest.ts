import { z } from 'zod';
import { IndexPostContents1796800000000 } from '../migrations/1796800000000-index-post-contents';

export const formatName = 'waggle-gateway-index';
export const formatVersion = 1;

/** The last migration that changed a table of the snapshot. */
export const schemaVersion = IndexPostContents1796800000000.name;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const time = z.iso.datetime();
const blockNumber = z.int().min(1).max(2_147_483_647);

/**
 * The first line of a snapshot: what its rows are. If `hasComparableDigest`, it follows from the chain and the
 * retention alone.
 */
export const snapshotHead = z.strictObject({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  schema: z.string(),
  chain_id: hash,
  block: z.strictObject({ number: blockNumber, id: z.string().regex(/^[0-9a-f]{40}$/), time }),
  /** The columns of the table `index_state`. */
  index: z.strictObject({
    first_block: blockNumber,
    begins: time,
    notification_days: z.int().min(1).max(3_650),
    notifications_from: time,
    has_posts: z.boolean(),
    has_votes: z.boolean(),
    body_days: z.int().min(1).max(10_000).nullable(),
    bodies_from: time,
    next_account_id: z.int().min(1).max(2_147_483_647),
    next_post_id: z.string().regex(/^\d{1,19}$/),
  }),
});
export type SnapshotHead = z.infer<typeof snapshotHead>;

/** The line before the rows of a table. */
export const sectionHead = z.strictObject({ table: z.string(), columns: z.array(z.string()) });

const section = sectionHead.extend({
  rows: z.int().min(0),
  /** The hash of the rows in the text format of COPY, ordered by the primary key. */
  sha256: hash,
});
export type Section = z.infer<typeof section>;

/** The last line of a snapshot. */
export const manifest = z.strictObject({
  sections: z.array(section),
  /** The hash of the head and the sections: equal for all indexes as of a block if `hasComparableDigest`. */
  digest: hash,
  /**
   * What the follower knows of the chain. It does not follow from the blocks alone, so the digest does not cover it.
   */
  chain: z.strictObject({ ids_are_hashes: z.boolean(), has_producer_rewards: z.boolean() }),
  checksum: hash,
});
export type Manifest = z.infer<typeof manifest>;

/**
 * Whether every other index of the chain with the same retention has the same rows as of this block: not if the index
 * had not caught up then, starts in the middle of the chain, was made by an older version, or lacks votes.
 */
export function hasComparableDigest({ block, index }: SnapshotHead): boolean {
  const dayMs = 24 * 60 * 60 * 1_000;
  const isComplete = (from: string, days: number | null) =>
    Date.parse(from) <= Math.max(Date.parse(block.time) - (days ?? Infinity) * dayMs, Date.parse(index.begins));
  return (
    index.first_block === 1 &&
    index.has_posts &&
    index.has_votes &&
    isComplete(index.notifications_from, index.notification_days) &&
    isComplete(index.bodies_from, index.body_days)
  );
}
