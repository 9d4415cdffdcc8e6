import { attackerAddresses } from '../traffic/addresses';
import { floodWithRequests, type RequestFloodJob, requestFloodJob } from '../traffic/request-flood';
import { hasCounted, type LoadAttack, loadAttack } from './attack';

/**
 * 1 MiB. JavaScript would write the first number differently, which makes the gateway read the text of every number.
 */
const numbers = `[1e1${',0'.repeat(524_285)}]`;

/** In a short form few, so that honest requests are not delayed until they fail on a busy machine. */
const connections = { quick: 2, full: 32 };

interface Flood {
  name: string;
  summary: string;
  /** The burst exceeds the limit of an address. */
  requests: Omit<RequestFloodJob, 'url' | 'address' | 'connections'>;
  block: number;
}

const gatewayFlood = ({ requests, block, ...description }: Flood): LoadAttack =>
  loadAttack({
    ...description,
    services: ['rpc-gateway'],
    job: requestFloodJob,
    isLimited: hasCounted('status 429'),
    prepare: (target, { isQuick }) =>
      Promise.resolve({
        url: target.service('rpc-gateway').url,
        address: attackerAddresses(block, 1).join(),
        connections: isQuick ? connections.quick : connections.full,
        ...requests,
      }),
    run: floodWithRequests,
  });

export const gatewayFloods: readonly LoadAttack[] = [
  gatewayFlood({
    name: 'extra-5',
    summary: '100 bodies of 1 MiB over 32 connections, each a batch of half a million numbers, and then two a second',
    // Each counts as 1,025 of the 6,000 calls a minute.
    requests: { path: '/rpc', body: numbers, burst: 100, perSecond: 2 },
    block: 19,
  }),
  gatewayFlood({
    name: 'extra-6',
    summary: '1,300 GET /index/digest over 32 connections as fast as possible, and then 20 a second',
    requests: { path: '/index/digest?block=1', burst: 1_300, perSecond: 20 },
    block: 20,
  }),
];
