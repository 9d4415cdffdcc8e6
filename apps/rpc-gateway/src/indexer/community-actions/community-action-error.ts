/** Rejects a community action. Its signer gets a notification with the reason. */
export class CommunityActionError extends Error {
  override readonly name = 'CommunityActionError';

  /** @param reason the text of public gateways, which clients compare */
  constructor(readonly reason: string) {
    super(reason);
  }
}

export function rejectUnless(isAllowed: boolean, reason: string): asserts isAllowed {
  if (!isAllowed) throw new CommunityActionError(reason);
}
