import { Agent, get, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { nowSeconds } from '../../measure/load-time';
import { askedCalls } from '../chain/recorded-node';
import { type FetchJob, type FetchResult } from '../jobs';

/** Fetches again what an indexer has fetched and parses it, while the next answer is on its way; keeps nothing. */
export async function fetchBlocks({ url, lastBlock }: FetchJob): Promise<FetchResult> {
  const agent = new Agent({ keepAlive: true });
  const asked = askedCalls.parse(JSON.parse(await getText(`${url}/asked`)));
  const bodies = asked.map((call) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }));
  const start = nowSeconds();
  let next = post(url, bodies[0] ?? '', agent);
  let parsed = 0;
  for (let place = 0; place < bodies.length; place += 1) {
    const answer = await next;
    if (place + 1 < bodies.length) next = post(url, bodies[place + 1] ?? '', agent);
    const content: unknown = JSON.parse(answer);
    if (typeof content === 'object') parsed += 1;
  }
  agent.destroy();
  if (parsed === 0) throw new Error('nothing was asked before, so there is nothing to ask again');
  return { blocks: lastBlock, seconds: nowSeconds() - start };
}

function getText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      resolve(text(response));
    }).on('error', reject);
  });
}

function post(url: string, body: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { 'content-type': 'application/json' } };
    const take = (response: IncomingMessage) => {
      resolve(text(response));
    };
    request(url, options, take).on('error', reject).end(body);
  });
}
