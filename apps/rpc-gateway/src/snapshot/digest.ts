import { createHash, type Hash } from 'node:crypto';
import { type Manifest, type Section, type SnapshotHead } from './manifest';

// Digests do not depend on the physical order of rows. `hasComparableDigest` defines which indexes have the same one as
// of a block.

/**
 * Starts the digest of a table. The caller adds the rows, in the text format of COPY and in the order of the primary
 * key.
 */
export function startTableDigest(): Hash {
  return createHash('sha256');
}

/**
 * The SHA-256 of these lines: the head as JSON, then `<table> <columns, comma-separated> <rows> <sha256>` per section.
 */
function totalDigest(head: SnapshotHead, sections: readonly Section[]): string {
  const lines = sections.map(({ table, columns, rows, sha256 }) => `${table} ${columns.join(',')} ${rows} ${sha256}\n`);
  return sha256Of(`${JSON.stringify(head)}\n${lines.join('')}`);
}

/** Returns the last line of a snapshot. Its checksum also covers `chain`, which the digest does not. */
export function createManifest(
  head: SnapshotHead,
  sections: readonly Section[],
  chainProperties: Manifest['chain'],
): Manifest {
  const content = { sections: [...sections], digest: totalDigest(head, sections), chain: chainProperties };
  return { ...content, checksum: sha256Of(JSON.stringify(content)) };
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
