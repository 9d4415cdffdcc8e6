import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const requestBody = z.object({ id: z.number(), method: z.string(), params: z.unknown() });

export type Request = z.infer<typeof requestBody> & Pick<IncomingMessage, 'headers' | 'url'>;
export type Respond = (request: Request, response: ServerResponse) => void;

/** A server that responds as its test says. Unlike the devnet it can respond with anything. */
export class ApiNode {
  /** Methods in the order of arrival, without head queries. */
  readonly calls: string[] = [];
  /** Of the same calls. */
  readonly params: unknown[] = [];
  /** Connections that were made to it so far. */
  connections = 0;
  /** How it responds to everything; undefined if it is healthy. */
  fault: Respond | undefined;
  headBlock = 1_000;

  private constructor(
    private readonly server: Server,
    /** Host and port. */
    readonly name: string,
  ) {}

  static async start(): Promise<ApiNode> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    const node = new ApiNode(server, `127.0.0.1:${address.port}`);
    server.on('connection', () => {
      node.connections += 1;
    });
    server.on('request', (request, response) => void node.serve(request, response));
    return node;
  }

  get url(): string {
    return `http://${this.name}`;
  }

  /** Its dynamic global properties. */
  get head(): object {
    return {
      head_block_number: this.headBlock,
      head_block_id: this.headBlock.toString(16).padStart(8, '0').padEnd(40, '0'),
      time: '2026-01-01T00:00:00',
      last_irreversible_block_num: this.headBlock - 1,
    };
  }

  openConnections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.getConnections((error, count) => {
        if (error) reject(error);
        else resolve(count);
      });
    });
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = requestBody.parse(JSON.parse(await text(incoming)));
    const isHeadQuery = body.method === 'database_api.get_dynamic_global_properties';
    if (!isHeadQuery) {
      this.calls.push(body.method);
      this.params.push(body.params);
    }
    const respond = this.fault ?? result(isHeadQuery ? this.head : 'pong');
    respond({ ...body, headers: incoming.headers, url: incoming.url }, response);
  }
}

/** Responds with this result. */
export function result(value: unknown): Respond {
  return ({ id }, response) => response.end(JSON.stringify({ jsonrpc: '2.0', result: value, id }));
}

/** Responds with a JSON-RPC error. */
export function rpcError(code: number, message: string): Respond {
  return ({ id }, response) => response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }));
}

/** Responds with a page of this status. */
export function page(status: number, body = '<html></html>'): Respond {
  return (_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(body);
}

/** Accepts the request and never responds. */
export const silence: Respond = () => undefined;
