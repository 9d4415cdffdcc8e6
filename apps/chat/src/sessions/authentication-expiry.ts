import { Inject, Injectable } from '@nestjs/common';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { type Authentication, type Connection } from '../realtime/connection';
import { Connections } from '../realtime/connections';
import { SessionsStore } from './sessions.store';

/** When the database does not answer, we ask again so much later: nobody is thrown out for a fault of ours. */
const askAgainMs = 1_000;

/**
 * Tells a connection before its authentication ends, and closes it when it does. Both times the session is looked up
 * first: a client that renewed over REST, at whichever instance, has extended its sockets too.
 */
@Injectable()
export class AuthenticationExpiry {
  private readonly timers = new Map<Connection, NodeJS.Timeout>();
  /** The end that each connection was last told of: it is told of each once. */
  private readonly told = new WeakMap<Connection, number>();

  constructor(
    private readonly connections: Connections,
    private readonly store: SessionsStore,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** Makes the connection the account's until the authentication ends, in place of an earlier one. */
  authenticate(connection: Connection, authentication: Authentication) {
    this.connections.authenticate(connection, authentication);
    if (!this.timers.has(connection)) {
      connection.onClose(() => {
        clearTimeout(this.timers.get(connection));
        this.timers.delete(connection);
      });
    }
    const noticeAtMs = authentication.untilMs - this.config.realtime.reauthenticationNoticeMs;
    this.at(noticeAtMs, connection, () => this.notice(connection, authentication));
  }

  private async notice(connection: Connection, authentication: Authentication) {
    if (await this.isExtended(connection, authentication)) return;
    if (this.told.get(connection) !== authentication.untilMs) {
      this.told.set(connection, authentication.untilMs);
      connection.send('reauthentication-required', { username: authentication.account });
    }
    this.at(authentication.untilMs, connection, () => this.expire(connection, authentication));
  }

  private async expire(connection: Connection, authentication: Authentication) {
    if (!(await this.isExtended(connection, authentication))) connection.close('authenticationExpired');
  }

  /**
   * Whether this authentication is not the last word: the connection has gone or proven itself anew while we looked, or
   * the session was renewed since; then it lasts one access token longer from there.
   */
  private async isExtended(connection: Connection, authentication: Authentication): Promise<boolean> {
    const { account, sessionId, untilMs } = authentication;
    const session = await this.store.findLive(sessionId);
    if (!connection.isOpen || connection.authentication !== authentication) return true;
    const renewedUntilMs = (session?.renewedAt.getTime() ?? 0) + this.config.tokens.accessMs;
    if (renewedUntilMs <= untilMs) return false;
    this.authenticate(connection, { account, sessionId, untilMs: renewedUntilMs });
    return true;
  }

  private at(timeMs: number, connection: Connection, act: () => Promise<void>) {
    clearTimeout(this.timers.get(connection));
    const timer = setTimeout(
      () => {
        // Meanwhile the connection may have authenticated anew: then another timer is the one that counts.
        act().catch(() => {
          if (connection.isOpen && this.timers.get(connection) === timer)
            this.at(Date.now() + askAgainMs, connection, act);
        });
      },
      Math.max(timeMs - Date.now(), 0),
    );
    this.timers.set(connection, timer);
  }
}
