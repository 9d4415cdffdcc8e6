import { createHash } from 'node:crypto';
import { isSatisfied } from '../state/authority';
import { type Serialization, write } from '../dialect';
import { badCast, missingAuthority, signedTwice } from '../errors';
import { countOf, fieldsOf, listOf, textsOf, timeOf } from '../fields';
import { serializeTransaction } from '../signing/hive-js';
import { readOperation } from '../operations';
import { type Operation, type RequiredAuthority } from '../operations/operation';
import { checkSignatureFormat, recoverKey } from '../signing/signing';
import { type ChainState } from '../state/state';
import { type HiveTime } from '../time';

/** A signed transaction, read and hashed, not yet verified. */
export interface Transaction {
  /** 20 bytes in hex. */
  readonly id: string;
  readonly refBlockNum: number;
  readonly refBlockPrefix: number;
  readonly expiration: HiveTime;
  readonly operations: readonly Operation[];
  readonly signatures: readonly string[];
  /** The signed digest: sha256 of the chain id and the transaction. */
  readonly digest: Buffer;
  /** The leaf of this transaction in the Merkle tree of its block. */
  readonly merkleDigest: Buffer;
}

/** Maximum number of signatures: their number is serialized in one byte. */
const maxSignatures = 127;

/** A transaction before it is signed. */
export type UnsignedTransaction = Omit<Transaction, 'signatures' | 'merkleDigest'> & { readonly bytes: Buffer };

/**
 * Reads a transaction as a client sends it.
 * @param serialization the binary form to hash for its id and digests: the JSON does not show which one is signed
 * @throws NodeError if it is malformed or holds an unknown operation.
 */
export function readTransaction(json: unknown, chainId: string, serialization: Serialization): Transaction {
  return withSignatures(readUnsigned(json, chainId, serialization), signaturesOf(json));
}

/** The bytes of a transaction with its signatures. @throws NodeError */
export function packTransaction(json: unknown, chainId: string, serialization: Serialization): Buffer {
  const { bytes } = readUnsigned(json, chainId, serialization);
  return Buffer.concat([bytes, packSignatures(signaturesOf(json))]);
}

/** Reads a transaction without its signatures. @throws NodeError */
export function readUnsigned(json: unknown, chainId: string, serialization: Serialization): UnsignedTransaction {
  const fields = fieldsOf(json);
  const content = {
    refBlockNum: countOf(fields['ref_block_num']),
    refBlockPrefix: countOf(fields['ref_block_prefix']),
    expiration: timeOf(fields['expiration']),
    operations: listOf(fields['operations']).map(readOperation),
  };
  if (listOf(fields['extensions'] ?? []).length > 0) throw badCast('No extension is known');
  const bytes = serialize(content, serialization);
  return {
    ...content,
    bytes,
    id: sha256(bytes).toString('hex', 0, 20),
    digest: sha256(Buffer.from(chainId, 'hex'), bytes),
  };
}

export function withSignatures(
  { bytes, ...transaction }: UnsignedTransaction,
  signatures: readonly string[],
): Transaction {
  return { ...transaction, signatures, merkleDigest: sha256(bytes, packSignatures(signatures)) };
}

function signaturesOf(json: unknown): readonly string[] {
  const signatures = textsOf(fieldsOf(json)['signatures'] ?? []);
  for (const signature of signatures) checkSignatureFormat(signature);
  if (signatures.length > maxSignatures) throw badCast('Too many signatures');
  return signatures;
}

function packSignatures(signatures: readonly string[]): Buffer {
  return Buffer.concat([Buffer.of(signatures.length), Buffer.from(signatures.join(''), 'hex')]);
}

/**
 * Verifies the signatures of a transaction by the rules since hardfork 28: each operation needs exactly the role that
 * it names (a higher one does not replace it), and unneeded signatures are allowed.
 * @throws NodeError
 */
export function verifySignatures(transaction: Transaction, state: ChainState): void {
  const keys = transaction.signatures.map((signature) => recoverKey(transaction.digest, signature));
  const signedBy = new Set(keys);
  if (signedBy.size < keys.length) throw signedTwice();
  for (const required of transaction.operations.flatMap(({ requires }) => requires))
    verifyAuthority(required, signedBy, state);
}

function verifyAuthority(
  { role, account: name }: RequiredAuthority,
  signedBy: ReadonlySet<string>,
  state: ChainState,
): void {
  const account = state.getAccount(name);
  // Accounts named by an owner authority act with their active authority.
  const level = role === 'posting' ? 'posting' : 'active';
  if (isSatisfied(account[role], signedBy, (other) => state.findAccount(other)?.[level])) return;
  const { owner, active, posting } = account;
  throw missingAuthority(role, name, { owner, active, posting });
}

function serialize(
  transaction: Pick<Transaction, 'refBlockNum' | 'refBlockPrefix' | 'expiration' | 'operations'>,
  serialization: Serialization,
): Buffer {
  try {
    return serializeTransaction({
      ref_block_num: transaction.refBlockNum,
      ref_block_prefix: transaction.refBlockPrefix,
      expiration: transaction.expiration,
      operations: transaction.operations.map(({ name, value }) => [name, write(value, serialization)]),
      extensions: [],
    });
  } catch (error) {
    throw badCast('Cannot serialize the transaction: ${why}', { why: error instanceof Error ? error.message : error });
  }
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
