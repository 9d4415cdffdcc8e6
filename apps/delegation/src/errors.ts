import { type DelegationRestErrorCode } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';

/** An error with a code of the delegation API. */
export class DelegationError extends ServiceError {
  constructor(
    override readonly code: DelegationRestErrorCode,
    message: string,
    details?: ServiceError['details'],
  ) {
    super(code, message, details);
  }
}
