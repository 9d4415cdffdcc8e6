import { type DelegationRestErrorCode } from '@waggle/contracts';
import { CodedError } from '@waggle/service';

/** An error with a code of the delegation API. */
export class DelegationError extends CodedError<DelegationRestErrorCode> {}
