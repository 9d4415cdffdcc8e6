import { Gauge, type Registry, Tally } from '@waggle/service';
import { type MemoryAnswers } from '../cache/memory-answers';
import { type Backend } from '../upstream/backend';
import { type OnReply } from '../upstream/upstream-node';

/** Counts what nodes reply, so that a bad node is seen before the last good one is. */
export function countReplies(registry: Registry): OnReply {
  const help =
    'Replies of nodes by node and kind; those that were broken off because another node had answered are timeouts';
  const replies = new Tally('rpc_gateway_upstream_replies_total', help, ['node', 'reply'], registry);
  return ({ name }, reply) => {
    replies.add(1, name, reply.kind === 'fault' ? reply.fault : reply.kind);
  };
}

/** What is so at the moment in which metrics are asked for. */
export function observeUpstream(registry: Registry, backends: readonly Backend[], memory: MemoryAnswers): void {
  const nodes = backends.flatMap((backend) => backend.nodes.map((node) => ({ backend: backend.name, node })));
  const ofNodes = (name: string, help: string, valueOf: (node: Backend['nodes'][number]) => number | undefined) => {
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
  ofNodes('rpc_gateway_upstream_calls', 'Calls to a node that run or wait', ({ load }) => load);
  ofNodes(
    'rpc_gateway_upstream_usable',
    '1 if a node is usable, 0 if it lags or calls of some kind are kept from it',
    ({ health }) => (health.state === 'usable' ? 1 : 0),
  );
  const ofMemory = (name: string, help: string, value: () => number) => {
    const gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        gauge.set(value());
      },
    });
  };
  ofMemory('rpc_gateway_kept_answers', 'Answers that are kept in this process', () => memory.count);
  ofMemory('rpc_gateway_kept_bytes', 'About how many bytes they take', () => memory.bytes);
}
