import { indexIncomplete, RpcError, type UnmetNeed, upstreamError } from '@waggle/contracts';
import { isDatabaseUnavailable } from '@waggle/service';
import { type IndexStatus } from '../index-state/index-status';
import { type IndexContents, type IndexView } from '../index-state/index-view';
import { type Need, unmetNeeds } from '../index-state/needs';
import { type Route } from '../routes/route';
import { type Call } from '../rpc/call';
import { errorMember, gatewayResponse, type RpcResponse } from '../rpc/rpc-response';
import { type Upstream } from '../upstream/upstream';
import { type PreparedCall } from './declaration/declaration';
import { CountedResult, jsonOf, resultResponse } from './counted-result';
import { type Sources } from './declaration/sources';
import { localMethods } from './local-methods';

/** The outcome of an attempt to answer from the index: a response, or why there is none. */
type Attempt = { readonly response: RpcResponse } | { readonly unmet: readonly UnmetNeed[] };

/**
 * Answers calls of local methods: from the index if it contains all that the method needs, otherwise by the fallback of
 * the route. The state of the index is checked before the queries and after them, so that a response is dropped if the
 * index was emptied, replaced or lost meanwhile.
 */
export class LocalCalls {
  /** @param cursorBackends the backends with the same cursors as the index */
  constructor(
    private readonly sources: Sources,
    private readonly index: Pick<IndexStatus, 'view' | 'refresh'>,
    private readonly upstream: Pick<Upstream, 'respond'>,
    private readonly cursorBackends: ReadonlySet<string>,
  ) {}

  /** @throws RpcError for invalid parameters or a timeout; errors of the database, except that it is unavailable */
  async respond(call: Call, route: Route): Promise<RpcResponse> {
    const method = localMethods.get(call.method);
    if (method === undefined) throw new Error(`there is no local method ${call.method}`);
    const prepared = method.prepare(call.params, call.isViaCall, this.sources);
    if (method.needs.length === 0) return resultResponse(jsonOf(await prepared.run()));

    const startedMs = performance.now();
    const { fallback } = route;
    const beginsWithFallback = prepared.cursorSource === 'node' && fallback !== undefined;
    if (beginsWithFallback) {
      const response = await this.upstream.respond(call, fallback);
      // A node that does not have the method did not issue the cursor.
      if (response.outcome !== 'not-served') return response;
    }
    const attempt = await this.tryIndex(call, prepared, method.needs, route.timeoutMs);
    if ('response' in attempt) return attempt.response;
    if (beginsWithFallback) return incompleteResponse(attempt.unmet);
    return this.fallBack(call, route, prepared, attempt.unmet, startedMs);
  }

  private async tryIndex(
    call: Call,
    prepared: PreparedCall,
    needs: readonly Need[],
    timeoutMs: number,
  ): Promise<Attempt> {
    const result = new CountedResult(call);
    try {
      return await withTimeout(this.attempt(prepared, needs, result), timeoutMs);
    } catch (error) {
      result.drop();
      throw error;
    }
  }

  private async attempt(prepared: PreparedCall, needs: readonly Need[], counted: CountedResult): Promise<Attempt> {
    const before = this.index.view;
    const unmetBefore = unmetNeeds(needs, before);
    if (unmetBefore.length > 0) return { unmet: unmetBefore };
    const [result] = await Promise.allSettled([prepared.run().then((value) => counted.take(value))]);
    const after = await this.index.refresh();
    const unmetAfter = unmetNeeds(needs, after);
    const indexFields = indexFieldsOf(before, after);
    if (unmetAfter.length > 0 || indexFields === undefined) {
      counted.drop();
      return { unmet: unmetAfter.length > 0 ? unmetAfter : allUnmet(needs, 'The index was replaced.') };
    }
    if (result.status === 'fulfilled') return { response: { ...result.value, ...indexFields } };
    const error: unknown = result.reason;
    if (error instanceof RpcError) return { response: { ...rejection(error), ...indexFields } };
    if (!isDatabaseUnavailable(error)) throw error;
    return { unmet: allUnmet(needs, 'The database did not respond.') };
  }

  /** Forwards a call that the index cannot answer, within the rest of the timeout. */
  private async fallBack(
    call: Call,
    { fallback }: Route,
    { cursorSource }: PreparedCall,
    unmet: readonly UnmetNeed[],
    startedMs: number,
  ): Promise<RpcResponse> {
    if (fallback === undefined) return incompleteResponse(unmet);
    const acceptsCursor = cursorSource !== 'index' || this.cursorBackends.has(fallback.to);
    if (!acceptsCursor) return incompleteResponse(unmet);
    const timeoutMs = Math.max(1, fallback.timeoutMs - (performance.now() - startedMs));
    const response = await this.upstream.respond(call, { ...fallback, timeoutMs });
    return response.outcome === 'not-served' ? incompleteResponse(unmet) : response;
  }
}

function allUnmet(needs: readonly Need[], reason: string): UnmetNeed[] {
  return needs.map((need) => ({ need, reason }));
}

/** About as much as a method reads before it finds that its result is too long. */
const tooLongBytes = 32 * 1024 * 1024;

function isTooLong({ data }: RpcError): boolean {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'too-long';
}

/** The response for an error in the call, or for a result that is too long. */
function rejection(error: RpcError): RpcResponse {
  const response = gatewayResponse(errorMember(error), 'rejected');
  return isTooLong(error) ? { ...response, unsentBytes: tooLongBytes } : response;
}

function incompleteResponse(unmet: readonly UnmetNeed[]): RpcResponse {
  return gatewayResponse(errorMember(indexIncomplete(unmet)), 'index-incomplete');
}

/**
 * Returns the fields of a response from the index; undefined if the index was replaced. After a failover that lost
 * commits the index has fewer blocks than before, and the response may lack them.
 */
function indexFieldsOf(before: IndexView, after: IndexView): Pick<RpcResponse, 'source' | 'index'> | undefined {
  if (!isPresent(before.contents) || !isPresent(after.contents)) return undefined;
  if (before.contents.indexId !== after.contents.indexId) return undefined;
  const { block } = before.contents.block <= after.contents.block ? before.contents : after.contents;
  const lagSeconds = Math.max(before.lag?.seconds ?? 0, after.lag?.seconds ?? 0);
  return { source: 'index', index: { block, lagSeconds } };
}

function isPresent(contents: IndexView['contents']): contents is IndexContents {
  return typeof contents !== 'string';
}

/** The error of a local method that takes longer than its route allows. */
export const localTimeout = upstreamError('timeout');

/** Does not cancel the work: the database limits its duration. @throws RpcError with kind `timeout` */
async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(localTimeout);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
