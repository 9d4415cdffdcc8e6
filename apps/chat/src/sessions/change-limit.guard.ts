import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { FrameLimits } from '../realtime/frame-limits';
import { priceOfChange } from '../realtime/frame-prices';
import { accountOf } from './access.guard';

/** Charges a change over REST to the frame limit of the account, like a change by a frame. Runs after `AccessGuard`. */
@Injectable()
export class ChangeLimitGuard implements CanActivate {
  constructor(private readonly limits: FrameLimits) {}

  /** @throws ChatError `rate-limited` */
  canActivate(context: ExecutionContext): boolean {
    this.limits.charge(accountOf(context), { price: priceOfChange });
    return true;
  }
}
