import type { Texts } from './en';

const keys: Record<string, keyof Texts['errors']> = {
  UnreachableError: 'unreachable',
  TimeLimitError: 'unreachable',
  'no-websocket': 'unreachable',
  ConnectionLostError: 'connectionLost',
  forbidden: 'forbidden',
  'not-found': 'notFound',
  'account-not-found': 'accountNotFound',
  blocked: 'blocked',
  'friends-only': 'friendsOnly',
  'too-large': 'tooLarge',
  'invalid-frame': 'invalid',
  'invalid-request': 'invalid',
  'rate-limited': 'rateLimited',
  conflict: 'conflict',
  unavailable: 'unavailable',
  'invalid-signature': 'invalidSignature',
  'proof-expired': 'proofExpired',
  'session-revoked': 'sessionRevoked',
  'log-in-rejected': 'logInRejected',
  cancelled: 'cancelled',
  'wrong-key': 'wrongKey',
  'wallet-failed': 'walletFailed',
};

/** A sentence for an error code. */
export function errorText(texts: Texts, code: string): string {
  return texts.errors[keys[code] ?? 'unknown'];
}
