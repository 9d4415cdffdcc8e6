import { type CallFailureDetail } from './errors';
import { type NodeReply } from './node-reply';
import { type RunningCall } from './health/node-health';
import { compareTimeoutMs } from './options';

/** Records what a reply says about the health of the node. */
export type RecordReply = (reply: NodeReply, running: RunningCall) => void;

/** Too Many Requests, a limit for all our calls. */
const tooManyRequests = '429';

/**
 * Time that a node which did not respond to a comparison is left out of comparisons, in milliseconds: ten times the
 * wait for it.
 */
const absentMs = 10 * compareTimeoutMs;

/**
 * Returns how to record replies to our own calls, which a working node never rejects: every failure ejects the node.
 *
 * @param contradictionPauseMs minimum pause of a node that returned something untrue
 */
export function recordOwnCalls(contradictionPauseMs: number): RecordReply {
  const minPauseMs = (failure: CallFailureDetail, running: RunningCall): number | undefined => {
    if (failure.kind === 'contradiction') return contradictionPauseMs;
    const isAbsent = failure.kind === 'timeout' && running.kind === 'comparison';
    return isAbsent ? absentMs : failure.retryAfterMs;
  };
  return (reply, running) => {
    if (reply.kind === 'over-budget') running.ignored();
    else if (reply.kind !== 'failed') running.succeeded();
    // A node that was given less than its time because the others took it is not at fault.
    else if (reply.cause === 'superseded' || reply.cause === 'cut-short') running.abandoned();
    else if (reply.failure.kind === 'not-stored') running.ignored();
    else
      running.failed({
        reason: reasonOf(reply.failure),
        isOfWholeNode: reply.failure.kind === 'contradiction' || wouldFailAnyCall(reply.failure),
        retryAfterMs: minPauseMs(reply.failure, running),
      });
  };
}

/**
 * Records replies to calls of clients. If the call itself may be at fault, only several failures in a row eject the
 * node. Two kinds of call are never at fault: the small one for the head, without which a node would fail every call,
 * and a write.
 */
export const recordForwardedCalls: RecordReply = (reply, running) => {
  const isHead = running.kind === 'head';
  const isWrite = running.kind === 'write';
  const mayCallBeAtFault = !isHead && !isWrite;
  if (reply.kind === 'node-error')
    running.failed({ reason: reply.kind, isUncertain: mayCallBeAtFault, isOfWholeNode: isHead });
  else if (reply.kind === 'over-budget') running.ignored();
  else if (reply.kind !== 'failed') running.succeeded();
  else if (reply.cause === 'superseded') running.abandoned();
  // A caller cannot make the response to a write long.
  else if (reply.cause === 'call' && !(isWrite && reply.failure.kind === 'too-large')) running.ignored();
  else
    running.failed({
      reason: reasonOf(reply.failure),
      isUncertain: reply.cause !== 'node' && mayCallBeAtFault,
      isOfWholeNode: isHead || (reply.cause === 'node' && wouldFailAnyCall(reply.failure)),
      retryAfterMs: reply.failure.retryAfterMs,
    });
};

function wouldFailAnyCall({ kind, detail }: CallFailureDetail): boolean {
  return kind === 'unreachable' || (kind === 'http-status' && detail === tooManyRequests);
}

function reasonOf({ kind, detail }: CallFailureDetail): string {
  return detail === undefined ? kind : `${kind} (${detail})`;
}
