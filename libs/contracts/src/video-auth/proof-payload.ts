import { z } from 'zod';

/** The only supported network and authority. */
export const videoNetwork = 'hive';
export const videoAuthority = 'posting';

/** Maximum length of the signed text, in UTF-16 code units. */
export const maxProofPayloadLength = 2_048;

/** An instant: ISO 8601 with a zone, or milliseconds since 1970; parsed to milliseconds. */
const instant = z.union(
  [z.iso.datetime({ offset: true }).transform((iso) => Date.parse(iso)), z.number()],
  'neither an ISO 8601 time with a zone nor milliseconds',
);

/**
 * The content of the signed JSON text `proof_payload`. The client composes the text, or signs the text of a challenge
 * unchanged. Other fields are ignored.
 */
export const proofPayload = z.object({
  account: z.string(),
  ts: instant,
  /** The nonce of a challenge. */
  nonce: z.string().optional(),
  /** The domain of the service that it was signed for; other domains are rejected. */
  domain: z.string().optional(),
});
export type ProofPayload = z.infer<typeof proofPayload>;
