import { Inject, Injectable } from '@nestjs/common';
import { type LoginQuery, type SessionInfo } from '@waggle/contracts';
import { CHAT_CONFIG, type ChatConfig } from '../config';
import { ChatError } from '../errors';
import { type Presented } from './credentials';
import { LoginProof } from './login-proof';
import { Revocations } from './revocations';
import { SessionsStore } from './sessions.store';
import { Tokens, tokenUses, type IssuedToken, type TokenClaims, type TokenUse } from './tokens';

/** Where a log-in came from, for the user's own list of sessions. */
export interface Device {
  userAgent: string | null;
  ip: string | null;
}

type SessionOfAccount = Pick<TokenClaims, 'account' | 'sessionId'>;

/** A live session with fresh tokens. */
export interface GrantedSession {
  account: string;
  sessionId: string;
  accessToken: IssuedToken;
  websocketToken: IssuedToken;
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly proof: LoginProof,
    private readonly store: SessionsStore,
    private readonly tokens: Tokens,
    private readonly revocations: Revocations,
    @Inject(CHAT_CONFIG) private readonly config: ChatConfig,
  ) {}

  /** @throws ServiceError as `LoginProof.verify` */
  async logIn(
    query: LoginQuery,
    device: Device,
  ): Promise<GrantedSession & { refreshToken: IssuedToken; admin: boolean }> {
    await this.proof.verify(query);
    const account = query.username;
    const expiresAt = new Date(Date.now() + this.config.tokens.refreshMs);
    const sessionId = await this.store.create({ account, ...device, expiresAt }).catch(async (error: unknown) => {
      // Why the log-in failed is what counts; that its proof stays used besides costs a new signature.
      await this.proof.giveBack(query).catch(() => undefined);
      throw error;
    });
    return {
      ...this.grant({ account, sessionId }),
      refreshToken: this.tokens.issue('refresh', { account, sessionId }),
      admin: this.config.admins.includes(account),
    };
  }

  /**
   * The live session that the caller shows a token of. A token in the header decides alone: cookies beside it count only
   * where they are the same account's, as when the header's token has expired. Else a client with several accounts would
   * act as one of them in the name of another.
   *
   * @param evenExpired whether a token past its time is good enough, as it is for ending its session
   * @throws ServiceError `unauthenticated`
   */
  async authenticate(
    { header, cookies }: Presented,
    uses: readonly TokenUse[],
    evenExpired = false,
  ): Promise<TokenClaims & { token: string }> {
    const meant = header === undefined ? undefined : this.tokens.read(header, tokenUses, true)?.account;
    for (const token of header === undefined ? cookies : [header, ...cookies]) {
      const claims = this.tokens.read(token, uses, evenExpired);
      if (claims === undefined || (header !== undefined && claims.account !== meant)) continue;
      if (await this.isLive(claims.sessionId)) return { ...claims, token };
    }
    throw new ChatError('unauthenticated', 'no valid credentials');
  }

  async isLive(sessionId: string): Promise<boolean> {
    return (await this.store.findLive(sessionId)) !== undefined;
  }

  /** Renews by a refresh token: fresh tokens, and the session's open sockets live on. @throws ServiceError `unauthenticated` */
  async renew(presented: Presented): Promise<GrantedSession> {
    const session = await this.authenticate(presented, ['refresh']);
    if (!(await this.store.renew(session.sessionId))) throw new ChatError('unauthenticated', 'the session has ended');
    return this.grant(session);
  }

  /** Whether a refresh token is that of another session, live or not. */
  isOfAnother(refreshToken: string, { sessionId }: GrantedSession): boolean {
    const claims = this.tokens.read(refreshToken, ['refresh'], true);
    return claims !== undefined && claims.sessionId !== sessionId;
  }

  /** Ends the session everywhere: here at once, on other instances as soon as they look. @throws ServiceError `unauthenticated` */
  async logOut(presented: Presented): Promise<void> {
    const { sessionId } = await this.authenticate(presented, ['access', 'refresh'], true);
    await this.end(sessionId);
  }

  /** The account's live sessions as it may see them, the newest first. */
  async list(account: string, currentId: string): Promise<SessionInfo[]> {
    const sessions = await this.store.listLive(account);
    return sessions.map(({ id, userAgent, ip, createdAt }) => ({
      id,
      browser: userAgent,
      ip,
      city: null,
      country: null,
      created_at: createdAt.toISOString(),
      current: id === currentId,
    }));
  }

  /** Ends one of the account's own sessions, as log-out does. @throws ServiceError `not-found` */
  async revoke(account: string, sessionId: string): Promise<void> {
    if ((await this.store.findLive(sessionId))?.account !== account) {
      throw new ChatError('not-found', 'there is no such session of yours');
    }
    await this.end(sessionId);
  }

  /** A fresh WebSocket token for a session that is known to be live. */
  grantWebsocket(session: SessionOfAccount): IssuedToken {
    return this.tokens.issue('websocket', session);
  }

  private async end(sessionId: string): Promise<void> {
    await this.store.revoke(sessionId);
    this.revocations.closeSockets(sessionId);
  }

  /** Fresh access and WebSocket tokens for a session that is known to be live. */
  private grant(session: SessionOfAccount): GrantedSession {
    const accessToken = this.tokens.issue('access', session);
    const { account, sessionId } = session;
    return { account, sessionId, accessToken, websocketToken: this.grantWebsocket(session) };
  }
}
