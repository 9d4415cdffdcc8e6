import { type NodeHead } from '../node/hive-node';
import { type CheckedNode } from './checked-node';

/** What a node shows of a method: it works, it works in another way, the node lacks it, or a call cannot show it. */
export interface Finding {
  readonly verdict: 'works' | 'differs' | 'not served' | 'unknown';
  /** How it differs, what the node lacks, or what was not checked. */
  readonly detail?: string;
}

/** A method that a service calls. */
export interface ProbedMethod {
  readonly method: string;
  /** What the service needs it for, in a few words. */
  readonly purpose: string;
  /** Number of nodes that must serve the method. */
  readonly needs: 'none' | 'one' | 'majority';
  /** What the service cannot do if too few nodes serve it, as a sentence without a full stop. */
  readonly consequence: string;
  /** Whether the parameters depend on the head of the node. */
  readonly needsHead?: boolean;
}

/**
 * A method, and a call of it as the service makes it. It changes nothing on the chain. `run` calls the node by the
 * function that the service uses, so that parameters and the accepted results are the same. It rejects with
 * HiveRpcError, HiveNodesUnavailableError or OperationFormatError if the service could not use the result.
 */
export type Probe = ProbedMethod &
  (
    | { readonly needsHead?: false; readonly run: (node: CheckedNode) => Promise<Finding> }
    | { readonly needsHead: true; readonly run: (node: CheckedNode, head: NodeHead) => Promise<Finding> }
  );

export const works: Finding = { verdict: 'works' };

export function notServed(detail: string): Finding {
  return { verdict: 'not served', detail };
}

export function differs(detail: string): Finding {
  return { verdict: 'differs', detail };
}
