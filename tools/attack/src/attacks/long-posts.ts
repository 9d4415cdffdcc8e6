import { attackerAddresses } from '../traffic/addresses';
import { heldResponsesJob, holdResponses, postText } from '../traffic/hold-responses';
import { fillPosts, longTag, thread } from '../target/gateway-rows';
import { hasCounted, type LoadAttack, loadAttack } from './attack';

interface Posts {
  name: string;
  summary: string;
  /** A call, or a batch of calls. */
  body: unknown;
  block: number;
}

/** Posts in a list. */
const pageLength = 20;

/** The largest responses of local methods. Bodies of a discussion may have 32 Mi characters. */
const rows = { quick: { replies: 60, posts: pageLength }, full: { replies: 500, posts: pageLength } };

function longPosts({ body, block, ...description }: Posts): LoadAttack {
  return loadAttack({
    ...description,
    services: ['rpc-gateway'],
    job: heldResponsesJob,
    isLimited: hasCounted('status 429'),
    prepare: async (target, { isQuick }) => {
      await fillPosts(target, isQuick ? rows.quick : rows.full);
      const { url } = target.service('rpc-gateway');
      return {
        url,
        texts: [postText(url, '/rpc', JSON.stringify(body))],
        addresses: attackerAddresses(block, 1),
        burst: 60,
        perSecond: 2,
        maxOpen: 100,
        reading: { bytes: 1_000, everyMs: 1_000 },
      };
    },
    run: holdResponses,
  });
}

const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

/** Responses of local methods that an address requests in parallel and reads slowly. */
export const longPostsOfGateway: readonly LoadAttack[] = [
  longPosts({
    name: 'extra-12',
    summary: '60 parallel bridge.get_discussion of 500 replies of 64 KB (control characters), each read with 1 KB/s',
    body: call('bridge.get_discussion', thread),
    block: 31,
  }),
  longPosts({
    name: 'extra-12-lists',
    summary: '60 parallel batches of four pages of 20 posts of 64 KB (control characters), each read with 1 KB/s',
    body: [1, 2, 3, 4].map(() => call('bridge.get_ranked_posts', { sort: 'created', tag: longTag, limit: pageLength })),
    block: 32,
  }),
];
