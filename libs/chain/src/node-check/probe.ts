import { type NodeHead } from '../node/hive-node';
import { type CheckedNode } from './checked-node';

/**
 * The result of probing a method on a node:
 * - `works`
 * - `differs`: usable, but not as expected
 * - `not-served`: the node lacks the method, or data that the service needs from it
 * - `unknown`: a call cannot tell
 *
 * `checkNodes` adds `fails` for calls that end with another error, and for methods that it does not call.
 */
export interface Finding {
  readonly verdict: 'works' | 'differs' | 'not-served' | 'unknown';
  /** Explains the verdict to an operator. */
  readonly detail?: string;
}

/** A method that a service calls. */
export interface ProbedMethod {
  readonly method: string;
  /** What the service needs it for, in a few words. */
  readonly purpose: string;
  /** How many nodes must serve the method. */
  readonly requiredNodes: 'none' | 'one' | 'majority';
  /** What the service cannot do if too few nodes serve it, as a sentence without a full stop. */
  readonly consequence: string;
}

/** A method, and a read-only call that shows whether the service can use it. */
export type Probe = ProbedMethod & (CallWithoutHead | CallWithHead);

interface CallWithoutHead {
  readonly needsHead?: false;
  /**
   * Calls the node through the same function as the service, so it sends the same parameters and accepts the same
   * results.
   *
   * @throws HiveRpcError, HiveNodesUnavailableError or OperationFormatError if the service could not use the result
   */
  readonly run: (node: CheckedNode) => Promise<Finding>;
}

interface CallWithHead {
  /** `run` needs the head of the node; it is not called if the head could not be read. */
  readonly needsHead: true;
  /** Like `run` above. */
  readonly run: (node: CheckedNode, head: NodeHead) => Promise<Finding>;
}

export const works: Finding = { verdict: 'works' };

export function differs(detail: string): Finding {
  return { verdict: 'differs', detail };
}

export function notServed(detail?: string): Finding {
  return detail === undefined ? { verdict: 'not-served' } : { verdict: 'not-served', detail };
}

export function unknown(detail: string): Finding {
  return { verdict: 'unknown', detail };
}
