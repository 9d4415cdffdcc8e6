import { type KeyObject } from 'node:crypto';
import { type PublicTokenKeys } from '@waggle/contracts';
import { type SigningKey } from '@waggle/service';
import { keysIn, type KeyDocument } from './key-document';
import { publicKeyIn, signingKeyIn } from './token-jwk';

/** The keys of one document, ready for use. Never changed, only replaced. */
export class KeySet {
  /** The key that signs. */
  readonly current: SigningKey;
  /** All public keys, as the JWKS publishes them. */
  readonly published: PublicTokenKeys;
  private readonly publicKeys: ReadonlyMap<string, KeyObject>;

  constructor(document: KeyDocument) {
    const keys = keysIn(document);
    this.current = signingKeyIn(document.current);
    this.published = {
      keys: keys.map(({ kid, kty, crv, x, y }) => ({ kty, crv, x, y, kid, alg: 'ES256', use: 'sig' })),
    };
    this.publicKeys = new Map(keys.map((jwk) => [jwk.kid, publicKeyIn(jwk)]));
  }

  /** Returns the key that verifies tokens with this `kid`. */
  find(id: string): KeyObject | undefined {
    return this.publicKeys.get(id);
  }
}
