import { type NodeHead } from '../node/hive-node';
import { type CheckedNode } from './checked-node';

/** What a node has shown of a method: it works, it works in another way, the node lacks it, or a call cannot show it. */
export interface Finding {
  readonly verdict: 'works' | 'differs' | 'not served' | 'unknown';
  /** How it differs, or what was not checked. */
  readonly detail?: string;
}

/** A method that a service calls, and a call of it as the service makes it. It changes nothing on the chain. */
export interface Probe {
  readonly method: string;
  /** What the service needs it for, in a few words. */
  readonly purpose: string;
  /** How many nodes have to serve it. */
  readonly needs: 'one' | 'majority';
  /** What the service cannot do if too few nodes serve it, as a sentence without a full stop. */
  readonly consequence: string;
  /**
   * Calls the node by the function that the service uses, so that parameters and the accepted results are the same.
   *
   * @throws HiveRpcError, HiveNodesUnavailableError or OperationFormatError if the service could not use the result
   */
  readonly run: (node: CheckedNode, head: NodeHead) => Promise<Finding>;
}

export const works: Finding = { verdict: 'works' };

export function differs(detail: string): Finding {
  return { verdict: 'differs', detail };
}
export function notServed(detail: string): Finding {
  return { verdict: 'not served', detail };
}

