import { types } from 'node:util';
import { HiveNodesUnavailableError, HiveRpcError } from '../node/errors';
import { CheckpointExistsError, CheckpointMovedError } from './writing/checkpoint';
import { FatalChainError } from './errors';
import { type FollowerDatabase } from './options';
import { SessionLostError } from './writing/session';

/** Errors that a retry may resolve. */
const retryableErrors = [CheckpointExistsError, CheckpointMovedError, SessionLostError];

/** SQLSTATE class 40: a conflict with another transaction. */
const conflictCode = /^40...$/;

/** SQLSTATE classes 22 and 23: a value out of range, or against a constraint. */
const rejectedValueCode = /^2[23]...$/;

/** Whether the nodes did not respond, or rejected the call; a later attempt may succeed. */
export function isOfNodes(error: unknown): boolean {
  return error instanceof HiveNodesUnavailableError || error instanceof HiveRpcError;
}

/** Whether a later attempt may succeed: the nodes or the database are away, or another transaction conflicted. */
export function isRetryable(error: unknown, database: Pick<FollowerDatabase, 'isUnavailable'>): boolean {
  // Its cause was retried already.
  if (error instanceof FatalChainError) return false;
  if (isOfNodes(error) || retryableErrors.some((kind) => error instanceof kind)) return true;
  if (database.isUnavailable(error)) return true;
  if (!types.isNativeError(error)) return false;
  return hasCode(error, conflictCode) || isRetryable(error.cause, database);
}

/** Whether the database rejects a value: a node may have altered it. */
export function isRejectedValue(error: unknown): boolean {
  return types.isNativeError(error) && (hasCode(error, rejectedValueCode) || isRejectedValue(error.cause));
}

function hasCode(error: Error, pattern: RegExp): boolean {
  return 'code' in error && typeof error.code === 'string' && pattern.test(error.code);
}

/** Whether every failure is that a node contradicts itself, the chain or another node. */
export function isContradiction(error: unknown): boolean {
  return (
    error instanceof HiveNodesUnavailableError &&
    error.failures.every(({ kind }) => kind === 'contradiction' || kind === 'mismatch')
  );
}

/**
 * Whether a response does not fit the blocks that were read before, and no other node responds: the blocks have to be
 * read again.
 */
export function isMismatch(error: unknown): boolean {
  return error instanceof HiveNodesUnavailableError && error.failures.some(({ kind }) => kind === 'mismatch');
}
