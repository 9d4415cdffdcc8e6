import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const call = z.object({ id: z.union([z.number(), z.string()]), method: z.string(), params: z.unknown() });

/** Answers that stay as they are: those of blocks that are there for good. */
const kept = new Set(['block_api.get_block_range', 'account_history_api.enum_virtual_ops']);

/** What was asked, as it can be asked again. */
export const askedCalls = z.array(z.object({ method: z.string(), params: z.unknown() }));

/**
 * Stands before a node and remembers its answers, so that it is not the node's speed that is measured: answers cost it
 * what it costs to send them. At `/asked` it tells what was asked of those, each once, in the order of the first time.
 */
export class RecordedNode {
  private readonly results = new Map<string, string>();

  private constructor(
    private readonly nodeUrl: string,
    private readonly server: Server,
  ) {}

  static async start(nodeUrl: string): Promise<string> {
    const server = createServer({ keepAliveTimeout: 75_000 });
    const node = new RecordedNode(nodeUrl, server);
    server.on('request', (request, response) => {
      node.answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = node.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/asked') {
      response.end(`[${[...this.results.keys()].join(',')}]`);
      return;
    }
    const body = await text(request);
    const { id, method, params } = call.parse(JSON.parse(body));
    const key = JSON.stringify({ method, params });
    const result = this.results.get(key) ?? (await this.ask(body));
    if (kept.has(method)) this.results.set(key, result);
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  }

  private async ask(body: string): Promise<string> {
    const answer = await fetch(this.nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result } = z.object({ result: z.unknown() }).parse(await answer.json());
    if (result === undefined) throw new Error(`the node refuses ${body}`);
    return JSON.stringify(result);
  }
}
