import { chatRestErrors, type ChatRestErrorCode } from '@waggle/contracts';
import { answersWith, type SecurityScheme } from '@waggle/service/api-description';
import { accessCookie, refreshCookie } from '../credentials';

/** The ways in which a REST call carries credentials. */
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
    description: 'The access token without the word `Bearer`.',
  },
  access_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: accessCookie,
    description: 'Set by log-in. Cookies count only where the Origin is one of those configured, or our own.',
  },
  refresh: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The refresh token: `refresh_token` of log-in; also without the word `Bearer`.',
  },
  refresh_cookie: { type: 'apiKey', in: 'cookie', name: refreshCookie, description: 'Set by log-in.' },
} as const satisfies Record<string, SecurityScheme>;

export type CredentialScheme = keyof typeof credentialSchemes;

/** What gets new tokens. */
export const refreshCredentials: CredentialScheme[] = ['refresh', 'refresh_cookie'];
/** Either kind of token. */
export const anyCredentials: CredentialScheme[] = ['access', 'access_bare', 'access_cookie', ...refreshCredentials];

/**
 * Says what a controller's method answers, for the API description, and sets the status: 200, 204 without a schema, or
 * `status`. Unless `credentials` says otherwise the method stands behind `AccessGuard`.
 */
export const Answers = answersWith<ChatRestErrorCode, CredentialScheme>({
  errors: chatRestErrors,
  always: ['rate-limited', 'unavailable'],
  unauthenticated: 'unauthenticated',
  credentials: ['access', 'access_bare', 'access_cookie'],
});
