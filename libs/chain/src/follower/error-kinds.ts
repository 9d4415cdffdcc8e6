import { types } from 'node:util';
import { HiveNodesUnavailableError, HiveRpcError } from '../node/errors';
import { CheckpointMovedError } from './checkpoint';
import { FatalChainError } from './errors';
import { type FollowerDatabase } from './options';
import { SessionLostError } from './session';

/** Errors that a later attempt may not have. */
const retryableErrors = [CheckpointMovedError, SessionLostError];

/** SQLSTATE class 40: a conflict with another transaction. */
const conflictCode = /^40...$/;

/** Whether the nodes did not answer, or rejected the call; later they may not. */
export function isOfNodes(error: unknown): boolean {
  return error instanceof HiveNodesUnavailableError || error instanceof HiveRpcError;
}

/** Whether the same may go well later: the nodes or the database are away, or another transaction was in the way. */
export function isRetryable(error: unknown, database: Pick<FollowerDatabase, 'isUnavailable'>): boolean {
  // Its cause has been retried already.
  if (error instanceof FatalChainError) return false;
  if (isOfNodes(error) || retryableErrors.some((kind) => error instanceof kind)) return true;
  if (database.isUnavailable(error)) return true;
  if (!types.isNativeError(error)) return false;
  const code: unknown = 'code' in error ? error.code : undefined;
  return (typeof code === 'string' && conflictCode.test(code)) || isRetryable(error.cause, database);
}

/** Whether every node returns what cannot be true. */
export function isContradiction(error: unknown): boolean {
  return (
    error instanceof HiveNodesUnavailableError &&
    error.failures.every(({ kind }) => kind === 'contradiction' || kind === 'mismatch')
  );
}

/** Whether no node answers, and one answers what does not fit the blocks that were read before: these have to be read again. */
export function isMismatch(error: unknown): boolean {
  return error instanceof HiveNodesUnavailableError && error.failures.some(({ kind }) => kind === 'mismatch');
}
