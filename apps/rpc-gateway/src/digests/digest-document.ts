import { z } from 'zod';
import { manifest, type Manifest, snapshotHead, type SnapshotHead } from '../snapshot/manifest';

/** The parameters of `GET /index/digest`. */
export const digestQuery = z.object({
  block: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a block')
    .transform(Number)
    .meta({
      type: 'integer',
      minimum: 1,
      description: 'A multiple of `DIGEST_INTERVAL_BLOCKS` of the indexer, which is 864,000 by default',
      examples: [864_000],
    }),
});
export type DigestQuery = z.infer<typeof digestQuery>;

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
