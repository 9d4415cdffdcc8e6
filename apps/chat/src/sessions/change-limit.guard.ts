import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { FrameLimits } from '../rate-limits/frame-limits';
import { priceOfChange } from '../rate-limits/frame-price';
import { accountOf } from './access.guard';

/** Counts a change that is made over REST as one made by a frame: with those of the account. Stands behind `AccessGuard`. */
@Injectable()
export class ChangeLimitGuard implements CanActivate {
  constructor(private readonly limits: FrameLimits) {}

  /** @throws ChatError `rate-limited` */
  canActivate(context: ExecutionContext): boolean {
    this.limits.charge({ authentication: { account: accountOf(context) } }, { price: priceOfChange });
    return true;
  }
}
