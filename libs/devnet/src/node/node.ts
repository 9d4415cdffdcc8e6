import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '@waggle/testing';
import { getMethod, type NodeKind } from '../api';
import { type ApiContext } from '../api/api';
import { respond, type Call, unparsable } from '../api/json-rpc';
import { type ChainView, findTransaction, type Inclusion, type ServedChain } from '../chain/chain-view';
import { appliesTo, type Faults, httpResponse, InjectedError } from './faults';
import { lyingView } from './lies';
import { readJson } from './request-body';
import { nodeSoftware, type SoftwareName } from '../software';
import { type Transaction } from '../chain/transaction';

export interface DevnetNodeOptions {
  /** By default a free one outside the ephemeral range, so that `revive` finds it free. 0: any. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /**
   * Whether `broadcast_transaction_synchronous` produces a block at once; default true. Set it to false if blocks are
   * produced at an interval.
   */
  readonly blocksOnDemand?: boolean;
  /** Which APIs it serves; default `node`, the APIs of hived. */
  readonly nodeKind?: NodeKind;
  /** The software whose answers it gives; default `hived`. */
  readonly software?: SoftwareName;
}

/** A Hive API node: serves JSON-RPC over HTTP about a chain that it may share with other nodes. */
export class DevnetNode {
  /** Number of calls of each method, by its full name, for example `block_api.get_block_range`. */
  readonly calls = new Map<string, number>();
  private faults: Faults = {};
  /** When blocks were produced, as long as a `storageDelayMs` may hide them. */
  private producedMs: readonly number[] = [];
  private readonly stopping = new AbortController();

  private constructor(
    readonly chain: ServedChain,
    private readonly host: string,
    private readonly port: number,
    private readonly blocksOnDemand: boolean,
    private readonly nodeKind: NodeKind,
    readonly software: SoftwareName,
    private server: Server | undefined,
  ) {
    chain.onBlock(() => {
      const { storageDelayMs = 0 } = this.faults;
      const nowMs = performance.now();
      this.producedMs = [...this.producedMs.filter((time) => nowMs - time < storageDelayMs), nowMs];
    });
  }

  /** @throws Error with code `EADDRINUSE` if the port is taken. */
  static async start(chain: ServedChain, options: DevnetNodeOptions = {}): Promise<DevnetNode> {
    const host = options.host ?? '127.0.0.1';
    const server = await listen(options.port ?? (await findFreePort()), host);
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    const { blocksOnDemand = true, nodeKind = 'node', software = 'hived' } = options;
    const node = new DevnetNode(chain, host, address.port, blocksOnDemand, nodeKind, software, server);
    node.serve(server);
    return node;
  }

  /** Starts a node of each kind of software. Only the first one has the given port. Errors as of `start`. */
  static async startAll(
    chain: ServedChain,
    software: readonly SoftwareName[],
    { port, ...options }: DevnetNodeOptions,
  ): Promise<DevnetNode[]> {
    const nodes: DevnetNode[] = [];
    for (const [index, each] of software.entries()) {
      const own = port === undefined ? {} : { port: port === 0 ? 0 : port + index };
      nodes.push(await DevnetNode.start(chain, { ...options, ...own, software: each }));
    }
    return nodes;
  }

  /** For example `http://127.0.0.1:40001`; the same for the whole life of the node. */
  get url(): string {
    return `http://${this.host}:${this.port}`;
  }

  /** Number of broadcasts that it received, regardless of its responses. */
  get broadcasts(): number {
    const broadcasts = [...this.calls].filter(([method]) => method.includes('.broadcast_transaction'));
    return broadcasts.reduce((sum, [, count]) => sum + count, 0);
  }

  /** Replaces the faults of the node. */
  misbehave(faults: Faults): void {
    this.faults = faults;
  }

  /** Ends all faults. A dead node stays dead: see `revive`. */
  behave(): void {
    this.faults = {};
  }

  /** Destroys all connections and stops listening. */
  async kill(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  /** Accepts connections again, on the same port. */
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
        // After a stop or a broken connection no client waits for the response; any other error is a bug of the devnet.
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
    const body = await readJson(request);
    const called: string[] = [];
    const serve = (call: Call): unknown => {
      called.push(call.method);
      return this.run(call);
    };
    const result = body === undefined ? unparsable() : await respond(body, serve, nodeSoftware[this.software]);
    await this.send(response, result, appliesTo(this.faults, called) ? this.faults : {});
  }

  private async send(response: ServerResponse, result: unknown, { slowMs, hangs, wrong }: Faults): Promise<void> {
    if (hangs) return;
    if (slowMs !== undefined) await wait(slowMs, undefined, { signal: this.stopping.signal });
    if (wrong === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    const { status, contentType, body, promisedBytes } = httpResponse(result, wrong);
    const length = promisedBytes ?? Buffer.byteLength(body);
    response.writeHead(status, { ...corsHeaders, 'content-type': contentType, 'content-length': length });
    if (promisedBytes === undefined) response.end(body);
    // The connection breaks once this part is written.
    else response.write(body, () => response.destroy());
  }

  private run({ method, params }: Call): unknown {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    const { error, without, distort } = this.faults;
    if (error !== undefined && appliesTo(this.faults, [method])) throw new InjectedError(error);
    const result = getMethod(this.nodeKind, method, without)(this.context(method), params);
    return distort === undefined ? result : distort({ method, params }, result);
  }

  private context(method: string): ApiContext {
    const software = nodeSoftware[this.software];
    return {
      view: this.view(method),
      software,
      submit: (transaction) => this.chain.push(transaction, software.serializations),
      confirm: (transaction) => this.confirm(transaction),
    };
  }

  /** Returns how many of the newest blocks HAF still lacks. */
  private countUnstored(method: string): number {
    const { storageDelayMs = 0 } = this.faults;
    if (storageDelayMs === 0 || !/^(block|account_history)_api/.test(method)) return 0;
    const nowMs = performance.now();
    return this.producedMs.filter((time) => nowMs - time < storageDelayMs).length;
  }

  private view(method: string): ChainView {
    const { irreversibleAhead = 0, lies = [], behindBlocks = this.countUnstored(method) } = this.faults;
    const view = behindBlocks === 0 ? this.chain : this.chain.asOf(behindBlocks);
    return lies.length > 0 || irreversibleAhead > 0 ? lyingView(view, lies, irreversibleAhead) : view;
  }

  private async confirm({ id }: Transaction): Promise<Inclusion> {
    if (this.blocksOnDemand) this.chain.produceBlock();
    return findTransaction(this.chain, id) ?? (await nextInclusion(this.chain, id));
  }
}

/**
 * Time that idle connections are kept, like nginx in front of public nodes does. Node's default of 5 s is too short for
 * a client in the process of the devnet: under Jest, hive-js takes that long for one signature, and would then write to
 * a closed connection.
 */
const keepAliveMs = 75_000;

/** Public nodes allow pages of any origin. */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type',
};

async function listen(port: number, host: string): Promise<Server> {
  const server = createServer({ keepAliveTimeout: keepAliveMs });
  server.listen(port, host);
  // Rejects with the 'error' event if the port is taken.
  await once(server, 'listening');
  return server;
}

function nextInclusion(chain: ServedChain, id: string): Promise<Inclusion> {
  return new Promise((resolve) => {
    const stop = chain.onBlock(() => {
      const inclusion = findTransaction(chain, id);
      if (!inclusion) return;
      stop();
      resolve(inclusion);
    });
  });
}
