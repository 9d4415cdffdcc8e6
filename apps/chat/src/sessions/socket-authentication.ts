import { Inject, Injectable } from '@nestjs/common';
import { capability, type Capability, type ClientPayload } from '@waggle/contracts';
import { ServiceError, tokenIn } from '@waggle/service';
import { SESSION_SETTINGS, type SessionSettings } from './session-settings';
import { accessCookie, presentedTokens, refreshCookie } from '../credentials';
import { CatchUp } from '../delivery/catch-up';
import { Resumption } from '../delivery/resumption';
import { resumePrice } from '../realtime/frame-prices';
import { type Authentication, type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { AuthenticationExpiry } from './authentication-expiry';
import { ConnectionAccounts } from './connection-accounts';
import { SessionsService } from './sessions.service';

/**
 * Authenticates connections, for the frame `authenticate`. (`ChatGateway` closes those that do not authenticate in
 * time.)
 */
@Injectable()
export class SocketAuthentication {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: ConnectionAccounts,
    private readonly expiry: AuthenticationExpiry,
    private readonly resumption: Resumption,
    private readonly catchUp: CatchUp,
    @Inject(SESSION_SETTINGS) private readonly settings: SessionSettings,
  ) {}

  /**
   * Authenticates a connection, grants its capabilities, and resumes its streams if the frame has a cursor. Invalid
   * credentials close it.
   */
  async authenticate(request: FrameRequest, frame: ClientPayload<'authenticate'>): Promise<void> {
    const { connection } = request;
    const authentication = await this.prove(connection, frame);
    // If it was closed meanwhile, its close event has passed, so a registration would never end.
    if (!connection.isOpen) return;
    if (authentication === undefined || !agrees(frame.username, authentication)) {
      request.reply('status', { authenticated: false });
      connection.close('authenticationFailed');
      return;
    }
    const { account } = authentication;
    const previous = connection.authentication?.account;
    if (previous !== account) {
      this.accounts.expectSession(connection, authentication.sessionId);
      // Replies to messages of the previous account would otherwise be sent to this one.
      if (previous !== undefined) await request.backgroundWorkDone();
      await this.accounts.connect(account, frame.resume === undefined ? 0 : resumePrice);
      if (!this.accounts.register(connection, account)) return;
    }
    if (frame.capabilities !== undefined) connection.grant(knownAmong(frame.capabilities));
    this.expiry.authenticate(connection, authentication);
    const resume = connection.has('sync') ? frame.resume : undefined;
    request.reply('status', {
      authenticated: true,
      ...(frame.capabilities !== undefined && { capabilities: [...connection.granted] }),
      // While it resumes, the cursor comes with `resume-complete` or `resume-failed`.
      ...(connection.has('sync') && resume === undefined && { cursor: this.catchUp.cursorOf(connection) }),
    });
    // Capabilities stay granted when another account authenticates without naming any.
    if (frame.capabilities !== undefined || previous !== account) this.accounts.announceCapabilities(connection);
    if (resume !== undefined) await this.resumption.resume(request, account, resume);
  }

  /**
   * Authenticates by the token of the frame, by the connection's own authentication, or by the upgrade request, in this
   * order. The cookies of that request are also used if the token has expired and they belong to the same account.
   */
  private async prove(
    connection: Connection,
    frame: ClientPayload<'authenticate'>,
  ): Promise<Authentication | undefined> {
    const token = tokenIn(frame.token);
    if (token === undefined && connection.authentication !== undefined)
      return orUndefined(this.extend(connection.authentication));
    const { headers, queryToken } = connection.upgrade;
    const { header, cookies } = presentedTokens(headers, [accessCookie, refreshCookie], this.settings.cookies);
    const presented = { header: token ?? tokenIn(queryToken) ?? header, cookies };
    const proven = await orUndefined(this.sessions.authenticateSocket(presented));
    const current = connection.authentication;
    const isRepeated = proven !== undefined && current?.sessionId === proven.sessionId;
    if (!isRepeated) return proven;
    // A repeated authentication never shortens the first one, even with an older token.
    return { ...proven, untilMs: Math.max(current.untilMs, proven.untilMs) };
  }

  /** Extends the authentication of a connection for an empty `authenticate`, if its session may be renewed. */
  private async extend({ account, sessionId }: Authentication): Promise<Authentication> {
    await this.sessions.extend(sessionId);
    return { account, sessionId, untilMs: Date.now() + this.settings.tokens.accessMs };
  }
}

/** Returns the capabilities that this version knows. */
function knownAmong(capabilities: readonly string[]): Capability[] {
  return capability.options.filter((each) => capabilities.includes(each));
}

/** Whether the account is the one that the frame names, if it names one. */
function agrees(username: string | undefined, { account }: Authentication): boolean {
  return username === undefined || username === account;
}

/** Returns undefined for invalid credentials. Other errors, such as an unavailable database, are thrown. */
function orUndefined<T>(proof: Promise<T>): Promise<T | undefined> {
  return proof.catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'unauthenticated') return undefined;
    throw error;
  });
}
