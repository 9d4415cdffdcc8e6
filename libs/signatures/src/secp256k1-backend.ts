import { loadNativeSecp256k1 } from './native-secp256k1';
import { pureSecp256k1 } from './pure-secp256k1';
import { type Secp256k1Backend } from './secp256k1';

/** The native bindings if they load on this machine (20 times as fast), otherwise the pure implementation. */
export const backend: Secp256k1Backend = loadNativeSecp256k1() ?? pureSecp256k1;
