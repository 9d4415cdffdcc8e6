import { type Serialization } from '../dialect';
import { readTransaction, verifySignatures } from '../chain/transaction';
import { type ApiContext } from './api';

/** verify_authority. @returns true @throws NodeError as a broadcast, if a signature is missing (database_api.cpp) */
export function verifyAuthority({ view }: ApiContext, transaction: unknown, serialization: Serialization): true {
  verifySignatures(readTransaction(transaction, view.chainId, serialization), view.state);
  return true;
}
