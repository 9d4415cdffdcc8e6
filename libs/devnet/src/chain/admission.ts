import { type Block, prefixOf } from './block';
import { assertion, badExpiration, wrongReferenceBlock } from '../errors';
import { maxExpirationSeconds } from '../protocol';
import { secondsOf } from '../time';
import { type Transaction } from './transaction';

/** @throws NodeError if the transaction is empty. */
export function checkOperations({ operations }: Transaction): void {
  if (operations.length > 0) return;
  throw assertion('operations.size() > 0', 'A transaction must have at least one operation');
}

/** @throws NodeError if the transaction is too late, or lasts too long. */
export function checkExpiration({ expiration }: Transaction, { timestamp: now }: Block): void {
  const values = { 'trx.expiration': expiration, now };
  if (expiration <= now) throw badExpiration('now < trx.expiration', values);
  if (secondsOf(expiration) > secondsOf(now) + maxExpirationSeconds) {
    throw badExpiration('trx.expiration <= now + fc::seconds(HIVE_MAX_TIME_UNTIL_EXPIRATION)', values);
  }
}

/**
 * Checks the block that a transaction refers to, by the low 16 bits of its number and bytes 4 to 7 of its id. The
 * reference binds the transaction to this chain.
 *
 * @throws NodeError
 */
export function checkReferenceBlock(
  { refBlockNum, refBlockPrefix }: Transaction,
  head: Block,
  blocks: readonly Block[],
): void {
  const block = blocks[head.number - ((head.number - refBlockNum) & 0xffff)];
  if (!block || prefixOf(block.id) !== refBlockPrefix) {
    throw wrongReferenceBlock({ 'trx.ref_block_prefix': refBlockPrefix });
  }
}
