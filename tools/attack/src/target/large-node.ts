import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { z } from 'zod';

/** A page of a history of 600 KB. */
const largeResult = JSON.stringify([{ author: 'waggle', body: 'x'.repeat(600_000) }]);
const smallResult = JSON.stringify({ name: 'waggle' });

/** Methods with large results. */
const largeMethod = /get_account_history|get_transaction|find_transaction/;

const blockMs = 3_000;
const startedMs = Date.now();

const call = z.object({ id: z.unknown(), method: z.string() });

/** A node of the chain with responses of 600 KB to some methods, as public nodes have. */
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    // It has no REST APIs.
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const { id, method } = call.parse(JSON.parse(body));
    const text = `{"jsonrpc":"2.0","result":${resultOf(method)},"id":${JSON.stringify(id)}}`;
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    response.writeHead(200, headers).end(text);
  });
});

function resultOf(method: string): string {
  if (method.includes('get_dynamic_global_properties')) {
    const number = 1_000 + Math.floor((Date.now() - startedMs) / blockMs);
    return JSON.stringify({
      head_block_number: number,
      head_block_id: number.toString(16).padStart(8, '0').padEnd(40, '0'),
      time: new Date().toISOString().slice(0, -5),
      last_irreversible_block_num: number - 1,
    });
  }
  return largeMethod.test(method) ? largeResult : smallResult;
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
