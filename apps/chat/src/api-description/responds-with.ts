import { chatRestErrors, type ChatRestErrorCode } from '@waggle/contracts';
import { responseDecorator } from '@waggle/service/api-description';
import { type CredentialScheme } from './credential-schemes';

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
