import { Inject, Injectable } from '@nestjs/common';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { type Authentication, type Connection } from '../realtime/connection';
import { SessionsStore } from './sessions.store';

/** The longest delay that a Node timer takes, in milliseconds; a longer one would fire at once. */
const timerMostMs = 2 ** 31 - 1;
/** When the database does not answer, we ask again so much later: nobody is thrown out for a fault of ours. */
const askAgainMs = 1_000;

/**
 * Tells a connection before its authentication ends, and closes it when it does. Both times the session is looked up
 * first: a client that renewed over REST, at whichever instance, has extended its sockets too.
 */
@Injectable()
export class AuthenticationExpiry {
  private readonly timers = new Map<Connection, NodeJS.Timeout>();

  constructor(
    private readonly store: SessionsStore,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** Watches the connection's authentication from now on, in place of an earlier one. */
  watch(connection: Connection, authentication: Authentication) {
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
    if (await this.extended(connection, authentication)) return;
    connection.send('reauthentication-required', { username: authentication.account });
    this.at(authentication.untilMs, connection, () => this.expire(connection, authentication));
  }

  private async expire(connection: Connection, authentication: Authentication) {
    if (!(await this.extended(connection, authentication))) connection.close('authenticationExpired');
  }

  /** Whether the session was renewed since; then the authentication lasts one access token longer from there. */
  private async extended(connection: Connection, { account, sessionId, untilMs }: Authentication): Promise<boolean> {
    const session = await this.store.findLive(sessionId);
    const renewedUntilMs = (session?.renewedAt.getTime() ?? 0) + this.config.tokens.accessMs;
    if (renewedUntilMs <= untilMs) return false;
    const authentication = { account, sessionId, untilMs: renewedUntilMs };
    connection.authenticate(authentication);
    this.watch(connection, authentication);
    return true;
  }

  private at(timeMs: number, connection: Connection, act: () => Promise<void>) {
    clearTimeout(this.timers.get(connection));
    const delayMs = Math.min(Math.max(timeMs - Date.now(), 0), timerMostMs);
    const timer = setTimeout(() => {
      // Meanwhile the connection may have authenticated anew: then another timer is the one that counts.
      act().catch(() => {
        if (this.timers.get(connection) === timer) this.at(Date.now() + askAgainMs, connection, act);
      });
    }, delayMs);
    this.timers.set(connection, timer);
  }
}
