import { z } from 'zod';
import { accountName } from '../account-name';
import { maxProofPayloadLength, videoAuthority, videoNetwork } from './proof-payload';

// Any text: a log-in with an invalid name is rejected with `account-not-found`, or `account-mismatch`, and another
// network with `unsupported-network`.
const username = z
  .string()
  .max(64)
  .meta({ description: 'Account name', examples: ['alice'] });
const network = z
  .string()
  .max(64)
  .meta({ description: 'The blockchain network', enum: [videoNetwork] });
const authorityType = z.literal(videoAuthority).meta({ description: 'The role of the key that signed' });
const payloadText = z
  .string()
  .max(maxProofPayloadLength)
  .meta({
    description:
      'The signed text: JSON with `account` and `ts` (an ISO 8601 time, or milliseconds). It is verified as received.',
    examples: ['{"account":"alice","ts":"2026-01-01T00:00:00.000Z"}'],
  });
const proof = z.string().max(256).meta({
  description: 'The signature: 65 bytes in hex (recovery byte, r, s) over sha256 of the text, by a posting key',
});

/** `POST /api/v1/auth/login_singleton`. */
export const videoLoginBody = z.object({
  username,
  network,
  authority_type: authorityType,
  proof_payload: payloadText,
  proof,
});
export type VideoLoginBody = z.infer<typeof videoLoginBody>;

/** A value in a payload that is sent as an object. */
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The aliases of the log-in. Existing clients leave out fields that follow from the payload and the path. */
export const videoLoginAliasBody = z.object({
  username: username.optional(),
  network: network.optional(),
  authority_type: authorityType.optional(),
  // Not a record, which rejects objects with a key `constructor`.
  proof_payload: z.union([payloadText, z.object({}).catchall(scalar)], 'neither a text nor a flat object').meta({
    description:
      'The signed text, or the object whose JSON text was signed: as written in the body, or with keys and numbers as written there, compact or with a space after each comma and colon',
  }),
  proof,
});
export type VideoLoginAliasBody = z.infer<typeof videoLoginAliasBody>;

/** `POST /api/v1/auth/challenge`. */
export const challengeBody = z.object({ username: accountName, network });
export type ChallengeBody = z.infer<typeof challengeBody>;

/** `GET /api/v1/auth/sessions`. */
export const videoSessionsQuery = z.object({
  cursor: z.ulid('not a cursor').optional().meta({
    description: 'Opaque: use the URL in the `Link` header with `rel="next"` of the previous page',
  }),
});
export type VideoSessionsQuery = z.infer<typeof videoSessionsQuery>;

/** Path of `DELETE /api/v1/auth/sessions/{id}`. */
export const videoSessionPath = z.object({
  id: z
    .string()
    .max(64)
    // PostgreSQL rejects it.
    .refine((id) => !id.includes('\0'), 'must not contain NUL')
    .meta({ description: 'The session to end' }),
});
export type VideoSessionPath = z.infer<typeof videoSessionPath>;
