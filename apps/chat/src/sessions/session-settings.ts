import { type Pace } from '../realtime/frame-limits';

export interface SessionSettings {
  /** `origins`: pages that may use a user's cookies. `bearerOrigins`: pages that may call by a Bearer token alone. */
  readonly cookies: {
    readonly secure: boolean;
    readonly sameSite: 'lax' | 'strict' | 'none';
    readonly origins: string[];
    readonly bearerOrigins: string[];
  };
  /**
   * `websocketMs`: for how long a WebSocket can be opened by a `ws_token`; it stays authenticated for `accessMs` at a
   * time.
   */
  readonly tokens: {
    readonly privateKeyPem: string | undefined;
    readonly accessMs: number;
    readonly websocketMs: number;
    readonly refreshMs: number;
  };
  /** Accounts that moderate every channel; a log-in says so. */
  readonly admins: readonly string[];
  readonly realtime: { readonly reauthenticationNoticeMs: number };
  /** What one account may have and do at one instance. */
  readonly accountLimits: { readonly connections: number; readonly frames: Pace };
}

/** Injects the `SessionSettings`. */
export const SESSION_SETTINGS = Symbol('SessionSettings');
