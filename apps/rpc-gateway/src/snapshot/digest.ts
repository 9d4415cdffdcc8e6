import { createHash, type Hash } from 'node:crypto';
import { type Manifest, type Section, type SnapshotHead } from './manifest';

// The digests of a snapshot do not depend on the physical order of rows: all indexes of a chain as of a block have the same.

/** Starts the digest of a table: of its rows in the text format of COPY, in the order of the primary key. */
export function startTableDigest(): Hash {
  return createHash('sha256');
}

/** The SHA-256 of the head and of one line per section: `<table> <columns> <rows> <sha256>`, each with a line feed. */
function totalDigest(head: SnapshotHead, sections: readonly Section[]): string {
  const lines = sections.map(({ table, columns, rows, sha256 }) => `${table} ${columns.join(',')} ${rows} ${sha256}\n`);
  return sha256Of(`${JSON.stringify(head)}\n${lines.join('')}`);
}

/** Computes the total digest and the checksum of a snapshot. */
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
