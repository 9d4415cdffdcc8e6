import { HiveNodesUnavailableError } from '@waggle/chain';
import { answersTooLong, internalError, RpcError, tooMuchUnread, upstreamFault } from '@waggle/contracts';
import { isDatabaseUnavailable, RepeatedLine, type Logger } from '@waggle/service';
import { JsonText } from '../local/json-text';
import { type LocalMethods } from '../local/local-methods';
import { type CallMetrics } from '../metrics/call-metrics';
import { local, type Route } from '../routes/route';
import { type RouteTable } from '../routes/route-table';
import { type Upstream } from '../upstream/upstream';
import { type Answer, type CallOutcome, memberOfError, ownAnswer } from './answer';
import { type Call, type Refusal } from './call';

/** Of what is refused before it has a route. */
const noRoute = 'none';

/** Answers each call by its route. The one place where what is thrown becomes an error of JSON-RPC. */
export class Dispatcher {
  private readonly faults: RepeatedLine;

  constructor(
    private readonly routes: RouteTable,
    private readonly locals: Pick<LocalMethods, 'find'>,
    private readonly upstream: Upstream,
    private readonly metrics: CallMetrics,
    private readonly logger: Logger,
  ) {
    this.faults = new RepeatedLine((leftOut, err) => {
      logger.error({ err, leftOut }, 'a call failed');
    });
  }

  /** At once where the answer is known, as most are: a promise for each of them is felt. Never rejects. */
  answer(item: Call | Refusal): Answer | Promise<Answer> {
    if ('error' in item) return this.counted(undefined, noRoute, this.answerTo(item.error));
    let route: Route;
    try {
      route = this.routes.get(item.method);
    } catch (error) {
      return this.counted(item, noRoute, this.answerTo(error));
    }
    const startedMs = performance.now();
    try {
      const answer = route.to === local ? this.answerLocally(item, route) : this.upstream.answer(item, route);
      return 'then' in answer
        ? this.timed(route, item, answer, startedMs)
        : this.counted(item, route.name, asFits(answer, item));
    } catch (error) {
      return this.counted(item, route.name, this.answerTo(error));
    }
  }

  private timed(route: Route, call: Call, underWay: Promise<Answer>, startedMs: number): Promise<Answer> {
    const ended = (answer: Answer) => {
      const ms = performance.now() - startedMs;
      this.metrics.time(route.name, ms);
      return this.counted(call, route.name, answer, ms);
    };
    return underWay.then(
      (answer) => ended(asFits(answer, call)),
      (error: unknown) => ended(this.answerTo(error)),
    );
  }

  /** Counts a call and logs it at debug level, without its parameters. @param ms how long it took, if not answered at once */
  private counted(call: Call | undefined, route: string, answer: Answer, ms = 0): Answer {
    this.metrics.count(route, answer);
    if (this.logger.isLevelEnabled('debug')) {
      const { cache, attempts, outcome } = answer;
      this.logger.debug({ method: call?.method, route, cache, attempts, outcome, ms }, 'call');
    }
    return answer;
  }

  private async answerLocally({ method, params, isViaCall }: Call, { timeoutMs }: Route): Promise<Answer> {
    const found = this.locals.find(method);
    if (found === undefined) throw new Error(`there is no local method ${method}`);
    const result = await inTime(found.answer(params, isViaCall), timeoutMs);
    const text = result instanceof JsonText ? result.text : JSON.stringify(result);
    return ownAnswer(`"result":${text}`, 'result');
  }

  private answerTo(error: unknown): Answer {
    if (error instanceof RpcError) return ownAnswer(memberOfError(error), outcomeOf(error));
    this.faults.say(error);
    // The index, and the nodes that it asks, are upstream of us too.
    if (isDatabaseUnavailable(error) || error instanceof HiveNodesUnavailableError)
      return ownAnswer(memberOfError(upstreamFault('unreachable')), 'unreachable');
    return ownAnswer(memberOfError(internalError(error)), 'internal-error');
  }
}

/** The answer; or, where the request or the memory of all responses has no room left for it, an error that says so. */
function asFits(answer: Answer, { id, room }: Call): Answer {
  const isTooLong = answer.outcome === 'too-long';
  if (id === undefined || (wasCounted(answer) && !isTooLong)) return answer;
  if (!isTooLong && room.take(Buffer.byteLength(answer.member))) return answer;
  const error = room.isMemoryFull ? tooMuchUnread() : answersTooLong();
  return { ...answer, member: memberOfError(error), outcome: 'too-long' };
}

/** What a node has sent for this very call has taken room as it came; or it is told in any case, being of a write. */
function wasCounted({ cache, attempts }: Answer): boolean {
  return cache === 'miss' || (cache === 'bypass' && attempts > 0);
}

function outcomeOf({ data }: RpcError): CallOutcome {
  return data === timeout.data ? 'timeout' : 'refused';
}

const timeout = upstreamFault('timeout');

/** What is late is left to end by itself: the database has limits of its own. @throws RpcError with kind `timeout` */
async function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(timeout);
    }, timeoutMs);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}
