import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { getMethod } from './api';
import { type ApiContext } from './api/api';
import { answer, type Call, unparsable } from './api/json-rpc';
import { type DevnetChain } from './chain';
import { type ChainView, findTransaction, type Inclusion } from './chain-view';
import { NodeError, rpcCode } from './errors';
import { type Faults, httpAnswer } from './faults';
import { lyingView } from './lies';
import { type Transaction } from './transaction';

export interface DevnetNodeOptions {
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /**
   * Whether a client that waits for its transaction to be in a block (`broadcast_transaction_synchronous`) gets one made
   * at once; default true. Set to false where blocks come by themselves.
   */
  readonly blocksOnDemand?: boolean;
}

/** The chain plugins of hived take at most this much. */
const maxBodyBytes = 4 * 1024 * 1024;

/** A Hive API node: answers JSON-RPC over HTTP about a chain that it may share with other nodes. */
export class DevnetNode {
  /** How often each method was called, by its full name, for example `block_api.get_block_range`. */
  readonly calls = new Map<string, number>();
  private faults: Faults = {};
  private readonly stopping = new AbortController();

  private constructor(
    readonly chain: DevnetChain,
    private readonly host: string,
    private readonly port: number,
    private readonly blocksOnDemand: boolean,
    private server: Server | undefined,
  ) {}

  /** @throws Error with code `EADDRINUSE` if the port is taken. */
  static async start(chain: DevnetChain, options: DevnetNodeOptions = {}): Promise<DevnetNode> {
    const host = options.host ?? '127.0.0.1';
    const server = await listen(options.port ?? 0, host);
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    const node = new DevnetNode(chain, host, address.port, options.blocksOnDemand ?? true, server);
    node.serve(server);
    return node;
  }

  /** For example `http://127.0.0.1:40001`; the same for the whole life of the node. */
  get url(): string {
    return `http://${this.host}:${this.port}`;
  }

  /** Sets the faults of the node from now on; those not named end. */
  misbehave(faults: Faults): void {
    this.faults = faults;
  }

  /** Ends all faults. A dead node stays dead: see `revive`. */
  behave(): void {
    this.faults = {};
  }

  /** Resets every connection; from now on connections are refused. */
  async kill(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  /** Takes connections again, on the same port. */
  async revive(): Promise<void> {
    if (this.server || this.stopping.signal.aborted) return;
    this.server = await listen(this.port, this.host);
    this.serve(this.server);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.kill();
  }

  private serve(server: Server): void {
    server.on('request', (request, response) => {
      this.handle(request, response).catch((error: unknown) => {
        // Nobody waits for an answer after a stop or a broken connection; anything else is a fault of the devnet.
        if (this.stopping.signal.aborted || response.destroyed) return;
        response.writeHead(500, corsHeaders).end(error instanceof Error ? error.stack : String(error));
      });
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, corsHeaders).end();
      return;
    }
    const body = parseJson(await readBody(request));
    const result = body === undefined ? unparsable() : await answer(body, (call) => this.run(call));
    const { slowMs, wrong } = this.faults;
    if (slowMs !== undefined) await wait(slowMs, undefined, { signal: this.stopping.signal });
    const { status, contentType, body: text } = httpAnswer(result, wrong);
    response.writeHead(status, { ...corsHeaders, 'content-type': contentType }).end(text);
  }

  private run({ method, params }: Call): unknown {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    if (this.faults.refuses === true) throw new NodeError(rpcCode.serverError, 'Too many requests');
    return getMethod(method, this.faults.without)(this.context(), params);
  }

  private context(): ApiContext {
    return {
      view: this.view(),
      submit: (transaction) => this.chain.push(transaction),
      confirm: (transaction) => this.confirm(transaction),
    };
  }

  private view(): ChainView {
    const { behindBlocks, lies } = this.faults;
    const view = behindBlocks === undefined ? this.chain : this.chain.asOf(behindBlocks);
    return lies ? lyingView(view, lies) : view;
  }

  private async confirm({ id }: Transaction): Promise<Inclusion> {
    if (this.blocksOnDemand) this.chain.produceBlock();
    return findTransaction(this.chain, id) ?? (await nextInclusion(this.chain, id));
  }
}

/**
 * As nginx, which stands before public nodes. Node's own 5 s is too short for a client in the process of the devnet:
 * hive-js computes that long on one signature under Jest, and would then write on a connection that is closed.
 */
const keepAliveMs = 75_000;

/** A page of any origin may ask a public node. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type',
};

async function listen(port: number, host: string): Promise<Server> {
  const server = createServer({ keepAliveTimeout: keepAliveMs });
  server.listen(port, host);
  // Rejects with the 'error' event where the port is taken.
  await once(server, 'listening');
  return server;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) request.destroy();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON value is undefined, so it can stand for "no JSON".
    return undefined;
  }
}

function nextInclusion(chain: DevnetChain, id: string): Promise<Inclusion> {
  return new Promise((resolve) => {
    const stop = chain.onBlock(() => {
      const inclusion = findTransaction(chain, id);
      if (!inclusion) return;
      stop();
      resolve(inclusion);
    });
  });
}
