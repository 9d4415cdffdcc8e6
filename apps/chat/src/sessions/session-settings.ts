import { type Pace } from '../realtime/token-bucket';

/** The settings of log-ins, tokens and cookies. */
export interface SessionSettings {
  readonly cookies: {
    readonly secure: boolean;
    readonly sameSite: 'lax' | 'strict' | 'none';
    /** Origins of pages that may use a user's cookies. */
    readonly origins: string[];
    /** Origins of pages that may call with a Bearer token only. */
    readonly bearerOrigins: string[];
  };
  /** The lifetimes of tokens, and the key that signs them. */
  readonly tokens: {
    /** Undefined to generate a key for this process. */
    readonly privateKeyPem: string | undefined;
    readonly accessMs: number;
    /** For how long a `ws_token` can open WebSockets. Each stays authenticated for `accessMs` at a time. */
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
