/** A way to sign a text with the posting key of an account. */
export interface SignInMethod {
  /**
   * @param text or bytes, which only a key signs
   * @returns 130 hex digits
   * @throws SignInError, or what the wallet throws
   */
  sign(account: string, text: string | Uint8Array): Promise<string>;
}

/** A wallet did not sign. */
export class SignInError extends Error {
  override readonly name = 'SignInError';

  constructor(
    readonly code: 'cancelled' | 'wrong-key' | 'wallet-failed',
    options?: ErrorOptions,
  ) {
    super(`Not signed: ${code}`, options);
  }
}
