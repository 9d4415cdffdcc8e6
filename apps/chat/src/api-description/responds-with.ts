import { chatRestErrors, type ChatRestErrorCode } from '@waggle/contracts';
import { responseDecorator, type SecurityScheme } from '@waggle/service/api-description';
import { accessCookie, refreshCookie } from '../credentials';

/** The ways to send credentials with a REST call. */
export const credentialSchemes = {
  access: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token: `token` of log-in, verify and refresh-token.',
  },
  access_bare: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The access token without the prefix `Bearer`.',
  },
  access_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: accessCookie,
    description:
      'Set by log-in. Cookies are accepted only if the Origin is one of those configured, or that of the service.',
  },
  refresh: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The refresh token: `refresh_token` of log-in; also without the prefix `Bearer`.',
  },
  refresh_cookie: { type: 'apiKey', in: 'cookie', name: refreshCookie, description: 'Set by log-in.' },
} as const satisfies Record<string, SecurityScheme>;

type CredentialScheme = keyof typeof credentialSchemes;

/** The credentials that renew tokens. */
export const refreshCredentials: CredentialScheme[] = ['refresh', 'refresh_cookie'];
/** Access or refresh tokens. */
export const anyCredentials: CredentialScheme[] = ['access', 'access_bare', 'access_cookie', ...refreshCredentials];

/**
 * Declares the response of a controller's method for the API description, and sets its status: 200, 204 without a
 * schema, or `status`. Methods require the credentials of `AccessGuard`, unless `credentials` lists others.
 */
export const RespondsWith = responseDecorator<ChatRestErrorCode, CredentialScheme>({
  errors: chatRestErrors,
  commonErrors: ['rate-limited', 'unavailable'],
  unauthenticated: 'unauthenticated',
  credentials: ['access', 'access_bare', 'access_cookie'],
});
