import { types } from 'node:util';
import { isDatabaseUnavailable } from '@waggle/service';
import { HiveNodesUnavailableError, HiveRpcError } from '../node/errors';
import { CheckpointMovedError } from './checkpoint';
import { FatalChainError } from './errors';
import { SessionLostError } from './session';

/** What may be otherwise the next time. */
const temporaryErrors = [HiveNodesUnavailableError, HiveRpcError, CheckpointMovedError, SessionLostError];

/** SQLSTATE class 40: another transaction was in the way. */
const conflictCode = /^40...$/;

/** Whether the same may go well later: the nodes or the database are away, or another transaction was in the way. */
export function isTemporary(error: unknown): boolean {
  // What it was caused by has been waited for already.
  if (error instanceof FatalChainError) return false;
  if (temporaryErrors.some((kind) => error instanceof kind)) return true;
  if (isDatabaseUnavailable(error)) return true;
  if (!types.isNativeError(error)) return false;
  const code: unknown = 'code' in error ? error.code : undefined;
  return (typeof code === 'string' && conflictCode.test(code)) || isTemporary(error.cause);
}

/** Whether every node that there is says what cannot be true. */
export function allContradict(error: unknown): boolean {
  return (
    error instanceof HiveNodesUnavailableError &&
    error.failures.every(({ kind }) => kind === 'contradiction' || kind === 'mismatch')
  );
}

/** Whether no node answers, and one answers what does not fit the blocks that were read before: these have to be read again. */
export function isMismatch(error: unknown): boolean {
  return error instanceof HiveNodesUnavailableError && error.failures.some(({ kind }) => kind === 'mismatch');
}
