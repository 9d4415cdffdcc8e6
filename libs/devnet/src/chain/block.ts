import { createHash } from 'node:crypto';
import { type NamedOperation } from '../dialect';
import { type KeyPair } from '../keys';
import { zeroId } from '../protocol';
import { signDigest } from '../signing/signing';
import { type ChainState } from '../state/state';
import { type HiveTime, secondsOf } from '../time';
import { type Transaction } from './transaction';

/** A transaction as the APIs return it with its block. */
export type IncludedTransaction = Pick<
  Transaction,
  'id' | 'refBlockNum' | 'refBlockPrefix' | 'expiration' | 'signatures'
> & { readonly operations: readonly NamedOperation[] };

/** An operation with its position. */
export interface AppliedOperation {
  readonly operation: NamedOperation;
  readonly virtual: boolean;
  /** Id of the transaction, or zeros for effects of the block. */
  readonly transactionId: string;
  /** Index of the transaction in the block, or 4294967295 for effects of the block. */
  readonly transactionInBlock: number;
  readonly operationInTransaction: number;
}

/** The part of a block that its id is computed from. */
export interface BlockHeader {
  /** Id of the previous block. */
  readonly previous: string;
  readonly timestamp: HiveTime;
  readonly witness: string;
  readonly transactionMerkleRoot: string;
}

export interface Block extends BlockHeader {
  readonly number: number;
  /** 20 bytes in hex; the first four are the number. */
  readonly id: string;
  readonly witnessSignature: string;
  readonly signingKey: string;
  readonly transactions: readonly IncludedTransaction[];
  /** All operations of the block; in blocks that the devnet produces, the virtual ones are last. */
  readonly operations: readonly AppliedOperation[];
  /** The state after this block. */
  readonly state: ChainState;
}

/**
 * Returns the number, signature and id of a block: the number follows from `previous`, the id from the signed header.
 */
export function signHeader(header: BlockHeader, key: KeyPair): SignedPart {
  const bytes = serializeHeader(header);
  return signedPart(header, bytes, signDigest(createHash('sha256').update(bytes).digest(), key.wif), key);
}

/** Does the same as `signHeader`, with bytes of a hash instead of a signature. */
export function unsignedHeader(header: BlockHeader, key: KeyPair): SignedPart {
  const bytes = serializeHeader(header);
  const hash = createHash('sha512').update(bytes).digest('hex');
  return signedPart(header, bytes, `1f${hash}`, key);
}

type SignedPart = Pick<Block, 'number' | 'id' | 'witnessSignature' | 'signingKey'>;

function signedPart(header: BlockHeader, bytes: Buffer, witnessSignature: string, key: KeyPair): SignedPart {
  const number = numberOf(header.previous) + 1;
  return { number, id: blockId(number, bytes, witnessSignature), witnessSignature, signingKey: key.publicKey };
}

/** The number of a block, which is the first four bytes of its id. */
export function numberOf(id: string): number {
  return Buffer.from(id, 'hex').readUInt32BE(0);
}

/** Bytes 4 to 7 of a block's id: a transaction refers to the block by them. */
export function prefixOf(id: string): number {
  return Buffer.from(id, 'hex').readUInt32LE(4);
}

/** The header as Hive packs it, without its signature. */
export function serializeHeader({ previous, timestamp, witness, transactionMerkleRoot }: BlockHeader): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32LE(secondsOf(timestamp));
  const name = Buffer.from(witness);
  // Lengths are variable-size integers; those below 128 take one byte. The last byte means no extensions.
  return Buffer.concat([
    Buffer.from(previous, 'hex'),
    time,
    Buffer.of(name.length),
    name,
    Buffer.from(transactionMerkleRoot, 'hex'),
    Buffer.of(0),
  ]);
}

/** sha224 of the signed header, cut to 20 bytes, with the number written over its first four. */
export function blockId(number: number, header: Uint8Array, witnessSignature: string): string {
  const hash = createHash('sha224').update(header).update(Buffer.from(witnessSignature, 'hex')).digest();
  hash.writeUInt32BE(number, 0);
  return hash.toString('hex', 0, 20);
}

/** ripemd160 of the root of the sha256 tree over the transactions; an odd one at the end of a row moves up as it is. */
export function merkleRoot(transactions: readonly Pick<Transaction, 'merkleDigest'>[]): string {
  let row: readonly Buffer[] = transactions.map(({ merkleDigest }) => merkleDigest);
  while (row.length > 1) row = nextRow(row);
  const [root] = row;
  return root ? createHash('ripemd160').update(root).digest('hex') : zeroId;
}

function nextRow(row: readonly Buffer[]): Buffer[] {
  const next: Buffer[] = [];
  for (let i = 0; i < row.length; i += 2) {
    const pair = row.slice(i, i + 2);
    const [left] = pair;
    if (left) next.push(pair.length === 1 ? left : createHash('sha256').update(Buffer.concat(pair)).digest());
  }
  return next;
}
