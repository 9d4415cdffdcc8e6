import {
  type CheckedNode,
  type Finding,
  knownAccount,
  type NodeHead,
  notServed,
  type Probe,
  type ProbedMethod,
  unknown,
  works,
} from '@waggle/chain';
import { z } from 'zod';

const rankedPosts = 'bridge.get_ranked_posts';
const latestPost = { sort: 'created', tag: '', observer: '', limit: 1 };

/**
 * Methods that clients call often and that are not local, of each program behind a public node: hived, HAfAH and
 * Hivemind. Not every node of a backend must serve them: a call goes on to the next node.
 */
export const forwardedProbes: readonly Probe[] = [
  forwarded(rankedPosts, latestPost),
  forwardedForPost('bridge.get_post', ({ author, permlink }) => ({ author, permlink, observer: '' })),
  forwardedForPost('bridge.get_discussion', ({ author, permlink }) => ({ author, permlink, observer: '' })),
  forwardedForPost('bridge.get_account_posts', ({ author: account }) => ({ sort: 'posts', account, limit: 1 })),
  forwardedForPost('condenser_api.get_content', ({ author, permlink }) => [author, permlink]),
  forwarded('condenser_api.get_accounts', [[knownAccount]]),
  forwarded('condenser_api.get_dynamic_global_properties', []),
  forwarded('condenser_api.get_account_history', [knownAccount, -1, 1]),
  forwardedForBlock('condenser_api.get_block', (block) => [block]),
  forwardedForBlock('block_api.get_block', (block_num) => ({ block_num })),
  forwarded('rc_api.find_rc_accounts', { accounts: [knownAccount] }),
  forwardedForBlock('account_history_api.get_ops_in_block', (block_num) => ({ block_num })),
  forwardedWrite('condenser_api.broadcast_transaction'),
  forwardedWrite('network_broadcast_api.broadcast_transaction'),
];

/** Probes a REST API. Most nodes lack some of these APIs, so none is required. */
export function apiProbe(prefix: string): Probe {
  return {
    method: prefix,
    purpose: 'paths',
    requiredNodes: 'none',
    consequence: 'clients get 404',
    run: async (node) => ((await node.hasApi(prefix)) ? works : notServed()),
  };
}

/** Any result, because clients get it unchanged. */
const anyResult = z.unknown().refine((result) => result !== null && result !== undefined, 'no result');

/** A forwarded method with parameters that clients pass. */
function forwarded(method: string, params: unknown): Probe {
  return probe(method, async (node) => {
    await node.call(method, params, anyResult);
    return works;
  });
}

/** Returns a probe like `forwarded`, with the number of the last irreversible block in the parameters. */
function forwardedForBlock(method: string, paramsOf: (block: number) => unknown): Probe {
  const run = async (node: CheckedNode, head: NodeHead): Promise<Finding> => {
    await node.call(method, paramsOf(head.irreversibleBlock), anyResult);
    return works;
  };
  return { ...forwardedMethod(method), needsHead: true, run };
}

const posts = z.array(z.object({ author: z.string(), permlink: z.string() }));

/** Returns a probe like `forwarded`, with the parameters for the latest post that the node has. */
function forwardedForPost(method: string, paramsOf: (post: z.infer<typeof posts>[number]) => unknown): Probe {
  return probe(method, async (node): Promise<Finding> => {
    const [post] = await node.call(rankedPosts, latestPost, posts).catch(() => []);
    if (post === undefined) return unknown('no post could be read to call it for');
    await node.call(method, paramsOf(post), anyResult);
    return works;
  });
}

/** A transaction is not sent: whether the method exists has to be enough. */
function forwardedWrite(method: string): Probe {
  return probe(method, async (node): Promise<Finding> => {
    const methods = await listMethods(node);
    if (methods === undefined) return unknown('it has no jsonrpc.get_methods, and no transaction is sent');
    return methods.includes(method) ? works : notServed();
  });
}

/** What the node says that it serves; undefined if it does not say. */
async function listMethods(node: CheckedNode): Promise<readonly string[] | undefined> {
  try {
    return await node.call('jsonrpc.get_methods', {}, z.array(z.string()));
  } catch {
    return undefined;
  }
}

function probe(method: string, run: (node: CheckedNode) => Promise<Finding>): Probe {
  return { ...forwardedMethod(method), run };
}

function forwardedMethod(method: string): ProbedMethod {
  const consequence = 'clients get an error, unless the route table names nodes that serve it';
  return { method, purpose: 'forwarded', requiredNodes: 'one', consequence };
}
