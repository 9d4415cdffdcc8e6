import { HiveNodesUnavailableError } from '@waggle/chain';
import { responsesTooLong, internalError, RpcError, tooMuchUnread, upstreamError } from '@waggle/contracts';
import { isDatabaseUnavailable, ThrottledLog, type Logger } from '@waggle/service';
import { type LocalCalls, localTimeout } from '../local/local-calls';
import { type CallMetrics } from './call-metrics';
import { local, type Route } from '../routes/route';
import { type RouteTable } from '../routes/route-table';
import { type Upstream } from '../upstream/upstream';
import { type Call, type InvalidCall } from '../rpc/call';
import { type CallOutcome, errorMember, gatewayResponse, type RpcResponse } from '../rpc/rpc-response';

/** The route label of calls that are rejected before they have a route. */
const noRoute = 'none';

/** Sends each call along its route, and turns exceptions into JSON-RPC errors. */
export class Dispatcher {
  private readonly failures: ThrottledLog;

  constructor(
    private readonly routes: RouteTable,
    private readonly localCalls: LocalCalls,
    private readonly upstream: Upstream,
    private readonly metrics: CallMetrics,
    private readonly logger: Logger,
  ) {
    this.failures = ThrottledLog.errors(logger, 'a call failed');
  }

  /** Returns a cached response synchronously: most are, and a promise for each would be measurable. Never rejects. */
  dispatch(item: Call | InvalidCall): RpcResponse | Promise<RpcResponse> {
    if ('error' in item) return this.record(undefined, noRoute, this.errorResponse(item.error));
    let route: Route;
    try {
      route = this.routes.get(item.method);
    } catch (error) {
      return this.record(item, noRoute, this.errorResponse(error));
    }
    return this.send(item, route);
  }

  /** Sends a call along a route. Never rejects. */
  send(item: Call, route: Route): RpcResponse | Promise<RpcResponse> {
    const startedMs = performance.now();
    try {
      const response = route.to === local ? this.localCalls.respond(item, route) : this.upstream.respond(item, route);
      return 'then' in response
        ? this.timed(route, item, response, startedMs)
        : this.record(item, route.name, withinBudget(response, item));
    } catch (error) {
      return this.record(item, route.name, this.errorResponse(error));
    }
  }

  /** Measures an asynchronous response. Those from the memory cache are too fast to be worth it. */
  private timed(route: Route, call: Call, pending: Promise<RpcResponse>, startedMs: number): Promise<RpcResponse> {
    const ended = (response: RpcResponse): RpcResponse => {
      const ms = performance.now() - startedMs;
      this.metrics.time(route.name, ms);
      return this.record(call, route.name, response, ms);
    };
    return pending.then(
      (response) => ended(withinBudget(response, call)),
      (error: unknown) => ended(this.errorResponse(error)),
    );
  }

  /**
   * Counts a call and logs it at debug level, without its parameters. @param ms its duration, if it was asynchronous
   */
  private record(call: Call | undefined, route: string, response: RpcResponse, ms = 0): RpcResponse {
    this.metrics.count(route, response);
    if (this.logger.isLevelEnabled('debug')) {
      const { source, cache, attempts, outcome } = response;
      this.logger.debug({ method: call?.method, route, source, cache, attempts, outcome, ms }, 'call');
    }
    return response;
  }

  private errorResponse(error: unknown): RpcResponse {
    if (error instanceof RpcError) return gatewayResponse(errorMember(error), outcomeOf(error));
    this.failures.log(error);
    // To a client, the database and the nodes behind local methods are upstream too.
    if (isDatabaseUnavailable(error) || error instanceof HiveNodesUnavailableError)
      return gatewayResponse(errorMember(upstreamError('unreachable')), 'unreachable');
    return gatewayResponse(errorMember(internalError(error)), 'internal-error');
  }
}

/** Returns the response, or an error if the budget of the request has no bytes left for it. */
function withinBudget(response: RpcResponse, { id, budget }: Call): RpcResponse {
  if (id === undefined) return response;
  const fits =
    response.outcome !== 'too-long' && (isExempt(response) || budget.take(Buffer.byteLength(response.member)));
  if (fits) return response;
  const error = budget.isMemoryFull ? tooMuchUnread() : responsesTooLong();
  return { ...response, member: errorMember(error), outcome: 'too-long' };
}

/**
 * Whether a response does not count here: a node's was counted while it arrived, and one from the index when it was
 * made. A response to a write does not count at all, since the client has to get it.
 */
function isExempt({ cache, attempts, isCounted }: RpcResponse): boolean {
  return isCounted === true || cache === 'miss' || (cache === 'bypass' && attempts > 0);
}

function outcomeOf(error: RpcError): CallOutcome {
  return error === localTimeout ? 'timeout' : 'rejected';
}
