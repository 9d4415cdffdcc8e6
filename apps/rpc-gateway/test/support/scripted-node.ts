import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { z } from 'zod';

const request = z.object({ id: z.int(), method: z.string(), params: z.unknown().optional() });
export type NodeCall = z.infer<typeof request>;

/** Returns the result of a call, or a `Raw` response. */
export type Script = (call: NodeCall) => unknown;

/** Replaces the whole HTTP response. */
export class Raw {
  constructor(readonly respond: (response: ServerResponse, call: NodeCall) => void) {}

  static body(body: string, status = 200, type = 'application/json'): Raw {
    return new Raw((response) => response.writeHead(status, { 'content-type': type }).end(body));
  }
}

/** A request for a path of a REST API. */
export interface PathCall {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Never responds. */
export const hang = new Raw(() => undefined);
/** Resets the connection. */
export const reset = new Raw((response) => response.socket?.resetAndDestroy());

export function rpcError(code: number, message: string, data?: unknown): Raw {
  return new Raw((response, { id }) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message, data }, id })),
  );
}

const headMethod = 'database_api.get_dynamic_global_properties';

/** An HTTP server that responds as the test defines, and reports its head by default. */
export class ScriptedNode {
  head = 1_000;
  irreversible = 980;
  /** The calls that it received, except for its head. */
  readonly calls: NodeCall[] = [];
  headCalls = 0;
  /** The requests for paths that it received. */
  readonly pathCalls: PathCall[] = [];
  script: Script = ({ method, params }) => ({ method, params });
  /** Responds to requests for paths. */
  pathScript: (call: PathCall, response: ServerResponse) => void = ({ target }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ target }));
  };
  /** Replaces the response to calls for its head. */
  headScript: Script | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedNode> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node = new ScriptedNode(server);
    server.on('request', (incoming, response) => {
      let body = '';
      incoming.setEncoding('utf8').on('data', (part: string) => (body += part));
      incoming.on('end', () => {
        const { method = '', url: target = '/', headers } = incoming;
        if (target === '/') void node.respond(request.parse(JSON.parse(body)), response);
        else node.respondToPath({ method, target, headers, body }, response);
      });
    });
    return node;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  callsOf(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private respondToPath(call: PathCall, response: ServerResponse): void {
    this.pathCalls.push(call);
    this.pathScript(call, response);
  }

  private async respond(call: NodeCall, response: ServerResponse): Promise<void> {
    const isHead = call.method === headMethod;
    if (isHead) this.headCalls += 1;
    else this.calls.push(call);
    const result: unknown = await (
      isHead ? (this.headScript ?? (() => headOf(this.head, this.irreversible))) : this.script
    )(call);
    if (result instanceof Raw) result.respond(response, call);
    else response.end(JSON.stringify({ jsonrpc: '2.0', result, id: call.id }));
  }
}

/** The head of a node of a chain whose block 1,000 was made when the tests began. */
export function headOf(block: number, irreversible: number, time = startedMs + (block - 1_000) * 3_000): object {
  return {
    head_block_number: block,
    head_block_id: block.toString(16).padStart(8, '0').padEnd(40, '0'),
    time: new Date(time).toISOString().slice(0, -5),
    last_irreversible_block_num: irreversible,
  };
}

const startedMs = Date.now();
