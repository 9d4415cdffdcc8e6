import { videoAuthRestErrors, type VideoAuthErrorCode } from '@waggle/contracts';
import { responseDecorator } from '@waggle/service/api-description';
import { type credentialSchemes } from './credential-schemes';

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
