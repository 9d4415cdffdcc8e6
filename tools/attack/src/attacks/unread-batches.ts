import { attackerAddresses } from '../traffic/addresses';
import { heldResponsesJob, holdResponses, postText } from '../traffic/hold-responses';
import { hasCounted, type LoadAttack, loadAttack } from './attack';

/** The largest batch that the gateway accepts. */
const callsPerBatch = 50;

/** Returns the body of a batch of equal calls. */
export function batchOf(method: string, calls: number, params: unknown = {}): string {
  return JSON.stringify(Array.from({ length: calls }, (_none, id) => ({ jsonrpc: '2.0', id, method, params })));
}

/**
 * In a short form: fewer calls than `CALLS_AT_ONCE`, so that only the limits in bytes reject requests. 144 MB
 * altogether.
 */
const few = { burst: 30, calls: 8 };

interface Batch {
  name: string;
  summary: string;
  method: string;
  calls: number;
  block: number;
}

function unreadBatches({ method, calls, block, ...description }: Batch): LoadAttack {
  return loadAttack({
    ...description,
    services: ['rpc-gateway'],
    job: heldResponsesJob,
    isLimited: hasCounted('status 429'),
    prepare: (target, { isQuick }) => {
      const { url } = target.service('rpc-gateway');
      return Promise.resolve({
        url,
        texts: [postText(url, '/rpc', batchOf(method, isQuick ? few.calls : calls))],
        addresses: attackerAddresses(block, 1),
        burst: isQuick ? few.burst : 60,
        // 6,000 calls a minute are allowed.
        perSecond: 2,
        maxOpen: 200,
      });
    },
    run: holdResponses,
  });
}

export const unreadBatchesOfGateway: readonly LoadAttack[] = [
  unreadBatches({
    name: 'high-2',
    summary: '60 parallel batches of 50 times a cached response of 600 KB, unread',
    method: 'condenser_api.get_account_history',
    calls: callsPerBatch,
    block: 7,
  }),
  unreadBatches({
    name: 'high-2-uncached',
    summary: '60 parallel batches of 10 times a response of 600 KB that is not cached, unread',
    method: 'transaction_status_api.find_transaction',
    calls: 10,
    block: 8,
  }),
];
