import { type DelegationRestErrorCode } from '@waggle/contracts';
import { ServiceError } from '@waggle/service';

/** A refusal with a code of the service's own interface. */
export class DelegationError extends ServiceError {
  constructor(
    override readonly code: DelegationRestErrorCode,
    message: string,
    details?: ServiceError['details'],
  ) {
    super(code, message, details);
  }
}
