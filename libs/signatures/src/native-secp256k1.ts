import { createRequire } from 'node:module';
import { type Secp256k1Backend } from './secp256k1';

/** The one function of `secp256k1/bindings` (libsecp256k1) that is used. It throws where nothing can be recovered. */
interface Bindings {
  ecdsaRecover(rs: Uint8Array, recoveryId: number, digest: Uint8Array): Uint8Array;
}

/**
 * libsecp256k1 through its Node bindings; undefined where there is no build for this platform.
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
        // The only way the bindings say "no such key"; the lengths and ranges they check besides hold already.
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
    // Not built for this platform, or not installed: the pure implementation does the same, slower.
    return undefined;
  }
}

function isBindings(loaded: unknown): loaded is Bindings {
  return typeof loaded === 'object' && loaded !== null && 'ecdsaRecover' in loaded;
}
