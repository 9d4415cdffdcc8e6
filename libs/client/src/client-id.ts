// Neither old browsers nor pages without TLS have randomUUID.
declare const crypto: { randomUUID?: () => string } | undefined;

/** A mark that no other message of the account has. It is no secret: where there is nothing better, chance is good enough. */
export function createClientId(): string {
  if (typeof crypto !== 'undefined' && crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
}
