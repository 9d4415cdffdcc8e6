import { createRemoteJWKSet, jwtVerify } from 'jose';

/** @param url of the video log-in, such as https://video.example */
export function tokenVerifier(url: string) {
  // Fetched at the first token, cached, and fetched again for an unknown key id.
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url));
  /** Returns the account of a token; throws if it is invalid or expired. */
  return async (token: string): Promise<string> => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: 'waggle-video-auth', // TOKEN_ISSUER
      audience: 'waggle-video', // TOKEN_AUDIENCE
      algorithms: ['ES256'],
    });
    return String(payload['username']);
  };
}
