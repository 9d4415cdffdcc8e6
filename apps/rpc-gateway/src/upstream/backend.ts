import {
  type CallOutcome,
  type CallReport,
  readPauses,
  HiveNode,
  type NodeCall,
  type NodeChange,
  NodeHealth,
  NodePool,
  type PathRequest,
  readKind,
  recordForwardedCalls,
} from '@waggle/chain';
import { type BackendSettings, type Route } from '../routes/route';
import { type RequestByteBudget } from '../rpc/request-byte-budget';
import { readPathReply, readReply, type TextError } from './node-reply';

/** A method and the JSON text of its parameters. */
export interface UpstreamCall {
  readonly method: string;
  readonly paramsText: string | undefined;
  /** The HTTP request to send instead of a JSON-RPC call. */
  readonly pathRequest?: PathRequest;
  /** Limits the bytes of the response; without it only the limit of the backend applies. */
  readonly budget?: RequestByteBudget;
}

/** The reply of the last node, with its result or error as the node wrote it, and which nodes were called. */
export type UpstreamOutcome = CallOutcome<string, TextError>;

/**
 * A set of interchangeable nodes. `libs/chain` provides connections, selection, health, hedging and retries, as for
 * `HiveClient`. The gateway only reads replies differently: as text, which it forwards unchanged.
 */
export class Backend {
  readonly name: string;
  readonly reportsHead: boolean;
  readonly pool: NodePool;

  constructor(
    settings: BackendSettings,
    onCall?: (report: CallReport) => void,
    onChange?: (change: NodeChange) => void,
  ) {
    const { connections, maxQueued, maxResponseBytes, hedgePercent } = settings;
    const options = { connections, maxQueued, maxResponseBytes, recordReply: recordForwardedCalls, onCall };
    this.name = settings.name;
    this.reportsHead = settings.reportsHead;
    const nodes = settings.urls.map((text) => {
      const url = new URL(text);
      const health = new NodeHealth(url.host, { pauses: readPauses, now: () => performance.now(), onChange });
      return new HiveNode(url, options, health);
    });
    this.pool = new NodePool(nodes, { hedgePercent });
  }

  get nodes(): readonly HiveNode[] {
    return this.pool.nodes;
  }

  /**
   * Sends a read to a node, and to others if that fails or is slow. Never rejects.
   *
   * @param timeoutMs the rest of the timeout of the route
   */
  read(
    { method, paramsText, pathRequest, budget }: UpstreamCall,
    route: Route,
    timeoutMs: number,
  ): Promise<UpstreamOutcome> {
    const { retries, hedgeMs } = route;
    const call: NodeCall<string, TextError> = {
      method,
      paramsText,
      pathRequest,
      kind: readKind(method),
      purpose: pathRequest?.httpMethod === 'POST' ? 'post' : 'read',
      readResponse: pathRequest === undefined ? readReply : readPathReply,
      budget,
    };
    return this.pool.read(call, {
      maxAttempts: retries + 1,
      timeoutMs,
      shareMs: timeoutMs / (retries + 1),
      hedgeDelayMs: hedgeMs === undefined ? undefined : () => hedgeMs,
    });
  }

  /**
   * Sends a call to one node, once. The response does not count against a budget: only it says that the node accepted
   * the call. Never rejects.
   */
  write({ method, paramsText }: UpstreamCall, { timeoutMs }: Route): Promise<UpstreamOutcome> {
    return this.pool.write({ method, paramsText, kind: 'write', purpose: 'write', readResponse: readReply }, timeoutMs);
  }
}
