import { dynamicGlobalProperties, headMethod } from '../../api/database-api';
import { compareHeads } from './head-comparison';
import { type HiveNode, type NodeHead } from '../hive-node';
import { resultReader } from '../http/json-rpc';

const readResponse = resultReader(headMethod, dynamicGlobalProperties);

/** Reads the head of a node. @returns whether the node reported it */
export async function readHead(node: HiveNode, timeoutMs: number): Promise<boolean> {
  const reply = await node.send({
    method: headMethod,
    paramsText: '{}',
    kind: 'head',
    purpose: 'probe',
    readResponse,
    timeoutMs,
  });
  if (reply.kind !== 'result') return false;
  const { headBlockNumber: block, lastIrreversibleBlockNumber: irreversibleBlock, time } = reply.result;
  node.head = { block, irreversibleBlock, timeMs: time.getTime() };
  return true;
}

/** Returns the nodes to read the head of: all but those that are paused after they failed to report it. */
export function polledNodes(nodes: readonly HiveNode[], nowMs = performance.now()): HiveNode[] {
  return nodes.filter(({ health }) => health.pausedUntilMs('head') <= nowMs);
}

/**
 * Compares the last known heads of nodes, and records which nodes lag or are ahead. Pass all nodes, even those
 * that have not just reported their heads: otherwise a node that lags might be compared only with itself.
 *
 * @returns the heads that are `current`
 */
export function recordHeads(nodes: readonly HiveNode[], maxLagBlocks: number): NodeHead[] {
  const known = nodes.flatMap(({ health, head }) => (head === undefined ? [] : [{ health, head }]));
  const positions = compareHeads(
    known.map(({ head }) => head),
    maxLagBlocks,
  );
  return known.flatMap(({ health, head }, index) => {
    const position = positions[index] ?? 'current';
    health.recordHead(head.block, position);
    return position === 'current' ? [head] : [];
  });
}
