import { createRemoteJWKSet, jwtVerify } from 'jose';

/** @param url of the video log-in, such as https://video.example */
export function tokenVerifier(url: string) {
  // Fetched at the first token, kept, and fetched again when a token names a key that is not among them.
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url));
  /** The account of a token; throws where it is none of ours, has been changed or has expired. */
  return async (token: string): Promise<string> => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: 'waggle-video-auth', // TOKEN_ISSUER
      audience: 'waggle-video', // TOKEN_AUDIENCE
      algorithms: ['ES256'],
    });
    return String(payload['username']);
  };
}
