import { delegationRestErrors, type DelegationRestErrorCode } from '@waggle/contracts';
import { responseDecorator } from '@waggle/service/api-description';

/** Says what a controller's method answers, for the API description. Everything is public: there are no credentials. */
export const RespondsWith = responseDecorator<DelegationRestErrorCode, never>({
  errors: delegationRestErrors,
  always: ['invalid-request', 'rate-limited', 'unavailable'],
  unauthenticated: 'invalid-request',
  credentials: [],
});
