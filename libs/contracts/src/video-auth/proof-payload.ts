import { z } from 'zod';

/** The one network whose accounts may log in, and the one level of authority that counts. */
export const videoNetwork = 'hive';
export const videoAuthority = 'posting';

/** Longer than any text that a client has a reason to sign, in UTF-16 code units. */
export const proofPayloadMostLength = 2_048;

/** An instant as clients write it: ISO 8601 with a zone, or milliseconds since 1970. */
const instant = z.union(
  [z.iso.datetime({ offset: true }).transform((iso) => Date.parse(iso)), z.number()],
  'neither an ISO 8601 time with a zone nor milliseconds',
);

/** What the JSON text `proof_payload` holds. Other fields are ignored. */
export const proofPayload = z.object({
  account: z.string(),
  ts: instant,
  /** Of a challenge. */
  nonce: z.string().optional(),
  /** For whom it was signed; another's is refused. */
  domain: z.string().optional(),
});
export type ProofPayload = z.infer<typeof proofPayload>;
