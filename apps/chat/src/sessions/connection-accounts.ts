import { Inject, Injectable } from '@nestjs/common';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { Delivery } from '../delivery/delivery';
import { RateLimitExceeded } from '../errors';
import { FrameLimits } from '../realtime/frame-limits';
import { priceOfReads } from '../realtime/frame-prices';
import { type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';

/**
 * Time after which an account with too many connections may retry, in milliseconds: some of them may be closed by then.
 */
const retryAfterMs = 10_000;

/** Connects accounts: an instance receives what an account is subscribed to while the account has a connection here. */
@Injectable()
export class ConnectionAccounts {
  constructor(
    private readonly connections: Connections,
    private readonly delivery: Delivery,
    private readonly limits: FrameLimits,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /** Closes the connection if the session that is about to authenticate it ends. */
  expectSession(connection: Connection, sessionId: string): void {
    this.connections.expectSession(connection, sessionId);
  }

  /**
   * Subscribes an account to its streams, for a connection that is then to be registered. Charges for the subscriptions
   * that are read, at most a burst.
   *
   * @param resumePrice what the connection is going to be charged for a resume
   * @throws RateLimitExceeded if the account has charges to pay, or cannot pay for the resume
   */
  async connect(account: string, resumePrice: number): Promise<void> {
    const waitMs = this.limits.affordableInMs(account, resumePrice);
    if (waitMs > 0) throw new RateLimitExceeded('the account has sent frames, or connected, too often', waitMs);
    const price = priceOfReads(await this.delivery.connect(account));
    this.limits.chargeAfterwards(account, Math.min(price, this.settings.accountLimits.frames.burst));
  }

  /**
   * Registers a connection of a connected account. Replaces the account that it had. The authentication has to be set
   * in the same turn of the event loop.
   *
   * @returns false if the connection is closed
   * @throws RateLimitExceeded if the account has as many connections as it may have here
   */
  register(connection: Connection, account: string): boolean {
    const hasTooMany = this.connections.countOf(account) >= this.settings.accountLimits.connections;
    if (hasTooMany || !connection.isOpen) this.delivery.disconnect(account);
    if (hasTooMany) throw new RateLimitExceeded('the account has too many connections open', retryAfterMs);
    if (!connection.isOpen) return false;
    const previous = connection.authentication?.account;
    if (previous !== undefined) this.delivery.disconnect(previous);
    else
      connection.onClose(() => {
        const current = connection.authentication?.account;
        if (current !== undefined) this.delivery.disconnect(current, connection);
      });
    return true;
  }

  /** Notifies other features that capabilities were granted to a connection. */
  announceCapabilities(connection: Connection): void {
    this.connections.emit('capable', connection);
  }
}
