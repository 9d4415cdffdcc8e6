import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { nodeResult } from '../node-result';

const blockMs = 3_000;
const startedMs = Date.now();

/** A node that returns the same result for every call, and whose chain has a block every three seconds. */
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    const id = /"id":(\d+)/.exec(body)?.[1] ?? 'null';
    const result = body.includes('get_dynamic_global_properties') ? head() : nodeResult;
    const text = `{"jsonrpc":"2.0","result":${result},"id":${id}}`;
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  });
});

function head(): string {
  const number = 1_000 + Math.floor((Date.now() - startedMs) / blockMs);
  return JSON.stringify({
    head_block_number: number,
    head_block_id: number.toString(16).padStart(8, '0').padEnd(40, '0'),
    time: new Date().toISOString().slice(0, -5),
    last_irreversible_block_num: number - 1,
  });
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
