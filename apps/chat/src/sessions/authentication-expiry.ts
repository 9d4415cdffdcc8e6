import { Inject, Injectable } from '@nestjs/common';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { type Authentication, type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { SessionsStore } from './sessions.store';

/**
 * Delay of a retry if the session cannot be read, in milliseconds: a connection is not closed because the database is
 * away.
 */
const retryDelayMs = 1_000;

/**
 * Warns a connection before its authentication expires, and closes it when it does. Reads the session before both,
 * since a client that renews it over REST at any instance also extends its connections.
 */
@Injectable()
export class AuthenticationExpiry {
  private readonly timers = new Map<Connection, NodeJS.Timeout>();
  /** The expiry that each connection was last warned about, so that it is warned once. */
  private readonly warned = new WeakMap<Connection, number>();

  constructor(
    private readonly connections: Connections,
    private readonly store: SessionsStore,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /** Authenticates a connection until the authentication expires. Replaces an earlier authentication. */
  authenticate(connection: Connection, authentication: Authentication): void {
    this.connections.authenticate(connection, authentication);
    if (!this.timers.has(connection)) {
      connection.onClose(() => {
        clearTimeout(this.timers.get(connection));
        this.timers.delete(connection);
      });
    }
    const noticeAtMs = authentication.untilMs - this.settings.realtime.reauthenticationNoticeMs;
    this.at(noticeAtMs, connection, () => this.warn(connection, authentication));
  }

  private async warn(connection: Connection, authentication: Authentication): Promise<void> {
    if (await this.isExtended(connection, authentication)) return;
    if (this.warned.get(connection) !== authentication.untilMs) {
      this.warned.set(connection, authentication.untilMs);
      connection.send('reauthentication-required', { username: authentication.account });
    }
    this.at(authentication.untilMs, connection, () => this.expire(connection, authentication));
  }

  private async expire(connection: Connection, authentication: Authentication): Promise<void> {
    if (!(await this.isExtended(connection, authentication))) connection.close('authenticationExpired');
  }

  /**
   * Whether the authentication is obsolete: the connection was closed or authenticated again during the read, or the
   * session was renewed, which extends the authentication by the lifetime of an access token.
   */
  private async isExtended(connection: Connection, authentication: Authentication): Promise<boolean> {
    const { account, sessionId, untilMs } = authentication;
    const session = await this.store.findValid(sessionId);
    if (!connection.isOpen || connection.authentication !== authentication) return true;
    const renewedUntilMs = (session?.renewedAt.getTime() ?? 0) + this.settings.tokens.accessMs;
    if (renewedUntilMs <= untilMs) return false;
    this.authenticate(connection, { account, sessionId, untilMs: renewedUntilMs });
    return true;
  }

  private at(timeMs: number, connection: Connection, act: () => Promise<void>): void {
    clearTimeout(this.timers.get(connection));
    const timer = setTimeout(
      () => {
        // If the connection authenticated again meanwhile, it has another timer.
        act().catch(() => {
          if (connection.isOpen && this.timers.get(connection) === timer)
            this.at(Date.now() + retryDelayMs, connection, act);
        });
      },
      Math.max(timeMs - Date.now(), 0),
    );
    this.timers.set(connection, timer);
  }
}
