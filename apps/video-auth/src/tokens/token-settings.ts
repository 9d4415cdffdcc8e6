/** The source of the signing keys; without one a key is generated for the process. */
export type KeySource = { file: string; reloadMs: number } | { text: string };

export interface TokenSettings {
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
