// Old browsers and pages without TLS lack randomUUID.
declare const crypto: { randomUUID?: () => string } | undefined;

/** Creates a unique idempotency key. It is not secret, so Math.random is good enough as a fallback. */
export function createClientId(): string {
  if (typeof crypto !== 'undefined' && crypto.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
}
