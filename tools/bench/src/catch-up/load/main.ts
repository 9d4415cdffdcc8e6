import { Agent, get, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { runBenchProcess } from '../../measure/bench-process';
import { nowSeconds } from '../../measure/load-time';
import { recordedCalls } from '../chain/recorded-node';
import { fetchJob, type FetchResult } from '../jobs';

/** Repeats the calls of an indexer and parses each response while the next one is transferred; stores nothing. */
runBenchProcess(async (input): Promise<FetchResult> => {
  const { url, lastBlock } = fetchJob.parse(input);
  const agent = new Agent({ keepAlive: true });
  const calls = recordedCalls.parse(JSON.parse(await getText(`${url}/calls`)));
  const bodies = calls.map((call) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }));
  const start = nowSeconds();
  let next = post(url, bodies[0] ?? '', agent);
  let parsed = 0;
  for (let index = 0; index < bodies.length; index += 1) {
    const response = await next;
    if (index + 1 < bodies.length) next = post(url, bodies[index + 1] ?? '', agent);
    const content: unknown = JSON.parse(response);
    if (typeof content === 'object') parsed += 1;
  }
  agent.destroy();
  if (parsed === 0) throw new Error('no call was recorded');
  return { blocks: lastBlock, seconds: nowSeconds() - start };
});

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
    const receive = (response: IncomingMessage): void => {
      resolve(text(response));
    };
    request(url, options, receive).on('error', reject).end(body);
  });
}
