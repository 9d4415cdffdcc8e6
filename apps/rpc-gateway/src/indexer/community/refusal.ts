/** A community action is not done, and its signer is told why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param reason as the signer is told; clients know the texts of public gateways */
  constructor(readonly reason: string) {
    super(reason);
  }
}

export function refuseUnless(isAllowed: boolean, reason: string): asserts isAllowed {
  if (!isAllowed) throw new Refusal(reason);
}
