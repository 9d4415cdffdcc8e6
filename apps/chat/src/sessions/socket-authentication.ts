import { Inject, Injectable } from '@nestjs/common';
import { capability, type Capability, type ClientPayload } from '@waggle/contracts';
import { ServiceError, tokenIn } from '@waggle/service';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { accessCookie, presentedTokens, refreshCookie } from '../credentials';
import { Resumption } from '../delivery/resumption';
import { type Authentication, type Connection } from '../realtime/connection';
import { type FrameRequest } from '../realtime/frame-request';
import { AuthenticationExpiry } from './authentication-expiry';
import { ConnectionAccounts } from './connection-accounts';
import { SessionsService } from './sessions.service';

/** Authenticates connections: by the frame `authenticate`, in all its forms. */
@Injectable()
export class SocketAuthentication {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accounts: ConnectionAccounts,
    private readonly expiry: AuthenticationExpiry,
    private readonly resumption: Resumption,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  async authenticate(request: FrameRequest, frame: ClientPayload<'authenticate'>) {
    const { connection } = request;
    const authentication = await this.prove(connection, frame);
    // It may have gone while the proof was looked at; nobody would forget it a second time.
    if (!connection.isOpen) return;
    if (authentication === undefined || !agrees(frame.username, authentication)) {
      request.reply('status', { authenticated: false });
      connection.close('authenticationFailed');
      return;
    }
    const { account } = authentication;
    const former = connection.authentication?.account;
    if (former !== account) {
      // Replies to messages of the former account would otherwise go to this one.
      if (former !== undefined) await request.earlierMessages();
      await this.accounts.connect(account);
      if (!this.accounts.register(connection, account)) return;
    }
    if (frame.capabilities !== undefined) connection.grant(knownAmong(frame.capabilities));
    this.expiry.authenticate(connection, authentication);
    const resume = connection.has('sync') ? frame.resume : undefined;
    request.reply('status', {
      authenticated: true,
      ...(frame.capabilities !== undefined && { capabilities: [...connection.granted] }),
      // Beyond what is missed there is a cursor when all of it was told.
      ...(connection.has('sync') && resume === undefined && { cursor: this.resumption.cursorOf(connection) }),
    });
    if (frame.capabilities !== undefined) this.accounts.announceCapabilities(connection);
    if (resume !== undefined) await this.resumption.resume(request, resume);
  }

  /**
   * By the frame's token, else by what the connection already is, else by what came with the upgrade request. The cookies of that
   * request count beside a token too, if they are the same account's: the token may have expired.
   */
  private async prove(
    connection: Connection,
    frame: ClientPayload<'authenticate'>,
  ): Promise<Authentication | undefined> {
    const token = tokenIn(frame.token);
    if (token === undefined && connection.authentication !== undefined)
      return orUndefined(this.extend(connection.authentication));
    const { headers, queryToken } = connection.upgrade;
    const { header, cookies } = presentedTokens(headers, [accessCookie, refreshCookie], this.config.cookies);
    const presented = { header: token ?? tokenIn(queryToken) ?? header, cookies };
    const proven = await orUndefined(this.sessions.authenticateSocket(presented));
    const current = connection.authentication;
    if (proven === undefined || current?.sessionId !== proven.sessionId) return proven;
    // Proving it again never shortens it, though it be by an older token.
    return { ...proven, untilMs: Math.max(current.untilMs, proven.untilMs) };
  }

  /** Extends an authenticated connection by an empty `authenticate`, as long as its session may be renewed. */
  private async extend({ account, sessionId }: Authentication): Promise<Authentication> {
    await this.sessions.extend(sessionId);
    return { account, sessionId, untilMs: Date.now() + this.config.tokens.accessMs };
  }
}

function knownAmong(capabilities: readonly string[]): Capability[] {
  return capability.options.filter((each) => capabilities.includes(each));
}

function agrees(username: string | undefined, { account }: Authentication): boolean {
  return username === undefined || username === account;
}

/** Bad credentials are an answer here, not an error; that the database is away stays an error. */
function orUndefined<T>(proof: Promise<T>): Promise<T | undefined> {
  return proof.catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'unauthenticated') return undefined;
    throw error;
  });
}
