import { type SecurityScheme } from '@waggle/service/api-description';

/** The ways to send the token with a call. */
export const credentialSchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: '`access_token` of the log-in.',
  },
  token_bare: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The token without the word `Bearer`.',
  },
} as const satisfies Record<string, SecurityScheme>;
