import { videoAuthErrorBody } from '@waggle/contracts';
import { type ApiDescription } from '@waggle/service/api-description';
import { credentialSchemes } from './responds-with';

const description = `Log-in to the video backend by the signature of a Hive account.

1. Build the JSON text of \`account\` and \`ts\`, such as \`{"account":"alice","ts":"2026-01-01T00:00:00.000Z"}\`; or get
   a text from \`POST /api/v1/auth/challenge\`.
2. Sign it with the posting key.
3. Send both to \`POST /api/v1/auth/login_singleton\`.
4. Send \`access_token\` as \`Authorization: Bearer …\` with further requests.

The token is a JWT (ES256) with the claims \`iss\`, \`aud\`, \`sub\` (\`singleton/hive/<account>\`), \`jti\`, \`sid\`, \`iat\`, \`exp\`,
\`type\`, \`username\` and \`network\`. Anyone can verify it with \`/.well-known/jwks.json\`;
\`POST /api/v1/auth/check\` also checks whether its session has ended.

Every error has the body \`{statusCode, error, code, message, requestId, reason, errorType}\`; rely on \`code\` or
\`errorType\`. Every response has \`X-Request-Id\`. Unknown fields in a body are ignored; a repeated key is an error.`;

const exampleError = {
  statusCode: 401,
  error: 'Unauthorized',
  code: 'proof-replayed',
  message: 'this proof was used before; sign a new ts',
  requestId: '0b9d1f0e-6b1c-4c2d-9a51-3f1c2f7f8a10',
  reason: 'this proof was used before; sign a new ts',
  errorType: 'PROOF_REPLAYED',
};

/** The API description, served at the path that the interface defines. */
export function videoAuthDescription(): ApiDescription {
  return {
    title: 'Waggle video log-in',
    description,
    // Paths contain only `v1`.
    version: '1.0.0',
    path: '/api/v1/docs',
    error: videoAuthErrorBody.meta({ examples: [exampleError] }),
    headers: {
      'Jwks.list': {
        'Cache-Control': { description: 'How long the keys may be cached', example: 'public, max-age=300' },
      },
    },
    securitySchemes: credentialSchemes,
  };
}
