import { type CallReport } from '@waggle/chain';
import { BatchingCounter, Gauge, observeValue, type Registry } from '@waggle/service';
import { type MemoryCache } from '../cache/memory-cache';
import { type Backend } from './backend';
import { errorKindOf } from './node-reply';

/** Counts the replies of nodes. */
export function countReplies(registry: Registry): (report: CallReport) => void {
  const help =
    'Replies of nodes by node and kind; a call that was aborted because another node had replied is a timeout';
  const replies = new BatchingCounter('rpc_gateway_upstream_replies_total', help, ['node', 'reply'], registry);
  return ({ node, reply }) => {
    replies.add(1, node.name, reply.kind === 'failed' ? errorKindOf(reply) : reply.kind);
  };
}

/** Reports the state of nodes and the memory cache when metrics are collected. */
export function observeUpstream(registry: Registry, backends: readonly Backend[], cache: MemoryCache): void {
  const nodes = backends.flatMap((backend) => backend.nodes.map((node) => ({ backend: backend.name, node })));
  const ofNodes = (
    name: string,
    help: string,
    valueOf: (node: Backend['nodes'][number]) => number | undefined,
  ): void => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['backend', 'node'],
      registers: [registry],
      collect: () => {
        for (const { backend, node } of nodes) {
          const value = valueOf(node);
          if (value !== undefined) gauge.set({ backend, node: node.name }, value);
        }
      },
    });
  };
  ofNodes('rpc_gateway_upstream_head_block', 'Head block of a node', ({ head }) => head?.block);
  ofNodes('rpc_gateway_upstream_calls', 'Calls to a node in flight or queued', ({ load }) => load);
  ofNodes(
    'rpc_gateway_upstream_usable',
    '1 if a node is usable, 0 if its head does not agree or it gets no calls of some kind',
    ({ health }) => (health.state === 'usable' ? 1 : 0),
  );
  observeValue(registry, 'rpc_gateway_cached_responses', 'Responses cached in this process', () => cache.count);
  const bytesHelp = 'Approximate size of the responses cached in this process';
  observeValue(registry, 'rpc_gateway_cached_bytes', bytesHelp, () => cache.bytes);
}
