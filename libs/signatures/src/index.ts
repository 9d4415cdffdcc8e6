export { type AccountAuth, type Authority, type KeyAuth, keySuffices, sufficientAccounts } from './authority';
export { formatPublicKey, parsePublicKey, samePublicKey } from './public-key';
export { type RecoveredKey, type RecoveryError, recoverPublicKey, secp256k1Backend } from './recovery';
export {
  parseSignature,
  type ParsedSignature,
  type RecoveryId,
  type Signature,
  type SignatureError,
} from './signature';
