import { createRequire } from 'node:module';
import { type Secp256k1Backend } from './secp256k1';

/** The one function of `secp256k1/bindings` (libsecp256k1) that is used. It throws if no key can be recovered. */
interface Bindings {
  ecdsaRecover(rs: Uint8Array, recoveryId: number, digest: Uint8Array): Uint8Array;
}

/**
 * libsecp256k1 through its Node bindings; undefined if there is no build for this platform.
 *
 * The bindings are loaded by hand because the package's own entry falls back silently to a slow library.
 */
export function loadNativeSecp256k1(): Secp256k1Backend | undefined {
  const bindings = loadBindings();
  if (bindings === undefined) return undefined;
  return {
    name: 'native',
    recover(rs, recoveryId, digest) {
      try {
        return bindings.ecdsaRecover(rs, recoveryId, digest);
      } catch {
        // The bindings report "no such key" only by an exception. Lengths and ranges are checked before.
        return undefined;
      }
    },
  };
}

function loadBindings(): Bindings | undefined {
  try {
    const loaded: unknown = createRequire(__filename)('secp256k1/bindings');
    return isBindings(loaded) ? loaded : undefined;
  } catch {
    // Not built for this platform, or not installed: the pure implementation is used, which is slower.
    return undefined;
  }
}

function isBindings(loaded: unknown): loaded is Bindings {
  return typeof loaded === 'object' && loaded !== null && 'ecdsaRecover' in loaded;
}
