import { delegationRestErrors, type DelegationRestErrorCode } from '@waggle/contracts';
import { responseDecorator } from '@waggle/service/api-description';

/** Declares the response of a controller method, for the API description. All methods are public. */
export const RespondsWith = responseDecorator<DelegationRestErrorCode, never>({
  errors: delegationRestErrors,
  commonErrors: ['invalid-request', 'rate-limited', 'unavailable'],
  unauthenticated: 'invalid-request',
  credentials: [],
});
