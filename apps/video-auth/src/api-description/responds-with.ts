import { videoAuthRestErrors, type VideoAuthErrorCode } from '@waggle/contracts';
import { responseDecorator, type SecurityScheme } from '@waggle/service/api-description';

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

/**
 * Declares the response of a controller method, for the API description, and sets the status: 200, 204 without a
 * schema, or `status`. Methods require a token unless `credentials` overrides it.
 */
export const RespondsWith = responseDecorator<VideoAuthErrorCode, keyof typeof credentialSchemes>({
  errors: videoAuthRestErrors,
  commonErrors: ['rate-limited', 'unavailable'],
  unauthenticated: 'unauthenticated',
  credentials: ['token', 'token_bare'],
});
