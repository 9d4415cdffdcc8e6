import { type Block, type IncludedTransaction } from '../../chain/block';
import { type Inclusion } from '../../chain/chain-view';
import { type Dialect, writeOperation } from '../../dialect';

/** A block as the APIs write it. */
export function blockObject(block: Block, dialect: Dialect): object {
  return {
    ...headerObject(block),
    witness_signature: block.witnessSignature,
    transactions: block.transactions.map((transaction, index) =>
      dialect === 'legacy'
        ? annotatedTransaction({ block, index }, transaction, dialect)
        : transactionObject(transaction, dialect),
    ),
    block_id: block.id,
    signing_key: block.signingKey,
    transaction_ids: block.transactions.map(({ id }) => id),
  };
}

export function headerObject(block: Block): object {
  return {
    previous: block.previous,
    timestamp: block.timestamp,
    witness: block.witness,
    transaction_merkle_root: block.transactionMerkleRoot,
    extensions: [],
  };
}

/** A transaction with its block and index. */
export function annotatedTransaction(
  { block, index }: Inclusion,
  transaction: IncludedTransaction,
  dialect: Dialect,
): object {
  return {
    ...transactionObject(transaction, dialect),
    transaction_id: transaction.id,
    block_num: block.number,
    transaction_num: index,
  };
}

function transactionObject(transaction: IncludedTransaction, dialect: Dialect): object {
  return {
    ref_block_num: transaction.refBlockNum,
    ref_block_prefix: transaction.refBlockPrefix,
    expiration: transaction.expiration,
    operations: transaction.operations.map((operation) => writeOperation(operation, dialect)),
    extensions: [],
    signatures: transaction.signatures,
  };
}
