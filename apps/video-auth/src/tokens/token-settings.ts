/** Where the signing keys come from: a file that is read again while the service runs, or the text of a document. */
export type KeySource = { file: string; reloadMs: number } | { text: string };

/** The settings of tokens. */
export interface TokenSettings {
  /** Undefined to generate a key for this process. */
  keys: KeySource | undefined;
  issuer: string;
  audience: string;
  lifetimeMs: number;
}

/** Injects the `TokenSettings`. */
export const TOKEN_SETTINGS = Symbol('TokenSettings');

/**
 * The default of `TOKEN_SECONDS`. Users need not log in daily; services that verify tokens by themselves trust them for
 * this time.
 */
export const tokenDefaultSeconds = 7 * 24 * 60 * 60;
