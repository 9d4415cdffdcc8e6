import { z } from 'zod';
import { manifest, type Manifest, snapshotHead, type SnapshotHead } from '../snapshot/manifest';

/** The digest of the index as of a block, and what it is computed from. */
export const digestDocument = z.strictObject({
  digest: manifest.shape.digest,
  head: snapshotHead,
  sections: manifest.shape.sections,
});
export type DigestDocument = z.infer<typeof digestDocument>;

export function digestDocumentOf(head: SnapshotHead, { digest, sections }: Manifest): DigestDocument {
  return { digest, head, sections };
}
