import { z } from 'zod';
import { accountName } from '../account-name';
import { videoNetwork } from './proof-payload';

const time = z.iso.datetime().meta({ description: 'ISO 8601 time in UTC, with milliseconds' });

/** Response of the log-in. */
export const videoLogin = z.object({
  access_token: z.string().meta({ description: 'A JWT (ES256); send it as `Authorization: Bearer …`' }),
});
export type VideoLogin = z.infer<typeof videoLogin>;

/** Response of `POST /api/v1/auth/check`. */
export const videoSessionCheck = z.object({ ok: z.literal(true) });
export type VideoSessionCheck = z.infer<typeof videoSessionCheck>;

/** Response of `POST /api/v1/auth/challenge`. */
export const challenge = z.object({
  proof_payload: z.string().meta({ description: 'The text to sign and send unchanged' }),
  expires_at: time,
});
export type Challenge = z.infer<typeof challenge>;

/** An item of `GET /api/v1/auth/sessions`. */
export const videoSession = z.object({
  id: z.string().meta({ description: 'Also `sid` in its token' }),
  user_agent: z.string().nullable().meta({ description: 'The User-Agent header of the log-in' }),
  ip: z.string().nullable().meta({ description: 'The IP address of the log-in' }),
  created_at: time,
  expires_at: time,
  current: z.boolean().meta({ description: 'Whether this is the session of the request' }),
});
export type VideoSession = z.infer<typeof videoSession>;

/** The claims of a token besides `iss` and `aud`, which are configurable. */
export const videoTokenClaims = z.object({
  sub: z.templateLiteral(['singleton/', z.literal(videoNetwork), '/', z.string()]),
  jti: z.string(),
  /** The session, which can be listed and revoked. */
  sid: z.string(),
  /** Seconds since 1970. */
  iat: z.int(),
  exp: z.int(),
  type: z.literal('singleton'),
  username: accountName,
  network: z.literal(videoNetwork),
});
export type VideoTokenClaims = z.infer<typeof videoTokenClaims>;

/** The public half of a key that signs tokens (RFC 7517, RFC 7518). */
const publicTokenKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string().meta({ description: 'The same as in the header of its tokens' }),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});
export type PublicTokenKey = z.infer<typeof publicTokenKey>;

/** Response of `GET /.well-known/jwks.json`: the current key, the next one, and previous ones with valid tokens. */
export const publicTokenKeys = z.object({ keys: z.array(publicTokenKey) });
export type PublicTokenKeys = z.infer<typeof publicTokenKeys>;
