import { type CallKind } from './call-kind';
import { Cancellation } from './cancellation';
import { type HiveNode, type NodeHead } from './hive-node';
import { type NodeCall } from './node-call';
import { failed, type NodeReply } from './node-reply';

/** How many nodes are called, and for how long. */
export interface AttemptLimits {
  readonly maxAttempts: number;
  /** Time limit of all attempts together. */
  readonly timeoutMs: number;
  /** Another node is called in addition if the last one does not respond in this time; Infinity: never. */
  readonly shareMs: number;
  /** A hedge is sent if a node does not respond in this time, and the budget allows it; undefined: never. */
  readonly hedgeDelayMs: ((node: HiveNode) => number) | undefined;
}

/** How a call ended. */
export interface CallOutcome<Result, RpcError> {
  readonly reply: NodeReply<Result, RpcError>;
  /** The node of the reply; undefined if no node was called, or none responded in time. */
  readonly node: HiveNode | undefined;
  /** The head of that node, as known when it was called. */
  readonly head: NodeHead | undefined;
  /** The nodes that were called, in order. */
  readonly called: readonly HiveNode[];
  /** The attempts that did not give the final reply, in the order of their end. */
  readonly failures: readonly AttemptFailure<Result, RpcError>[];
}

export interface AttemptFailure<Result, RpcError> {
  readonly node: HiveNode;
  readonly reply: NodeReply<Result, RpcError>;
}

/** What the attempts need of a set of nodes. */
export interface NodeChoice {
  /** The node to call next that is not among these and has room for a call. */
  choose(kind: CallKind, except: readonly HiveNode[]): HiveNode | undefined;
  /** The nodes that were found to lack an API lately; none if all of them lack it. */
  lackingApi(api: string): readonly HiveNode[];
  /** Takes a hedge from the budget, if there is one. */
  takeHedge(): boolean;
}

/** The reply to a call that was sent to no node, because too many calls wait. */
export const tooManyQueued = failed({ kind: 'overloaded', detail: 'too many calls wait' }, 'superseded', false);
const noReplyInTime = failed({ kind: 'timeout' }, 'cut-short', true);

/** Minimum time that must be left to call another node. */
const minTimeMs = 10;

/** A timer may fire that much before its time. */
const timerErrorMs = 1;

interface Ended<R, E> {
  readonly reply: NodeReply<R, E>;
  readonly node: HiveNode | undefined;
  readonly head: NodeHead | undefined;
}

/**
 * One read. The first result or rejection counts, even if another node would reply differently; calls that still run
 * are then cancelled. Meanwhile:
 *
 * | event                            | what happens                                               |
 * | -------------------------------- | ---------------------------------------------------------- |
 * | a node fails                     | another node is called, up to `maxAttempts`                |
 * | a node's `shareMs` is over       | another node is called, while this one may still respond   |
 * | a node's `hedgeDelayMs` is over  | the same, once, if there is a hedge left                   |
 * | no call runs any more            | the read ends with the most informative failure            |
 * | `timeoutMs` is over              | the read ends with the error of a node, or a timeout       |
 */
export class ReadAttempts<R, E> {
  private readonly cancellation = new Cancellation();
  private readonly called: HiveNode[] = [];
  private readonly failures: AttemptFailure<R, E>[] = [];
  private readonly deadlineMs: number;
  /** When the last called node has used its share of the time; Infinity if no other node may be called. */
  private shareEndsMs = Infinity;
  /** When the last called node may be hedged; Infinity if it may not. */
  private hedgeDueMs = Infinity;
  private running = 0;
  /** Number of called nodes without the path. They do not count as attempts: often only a few nodes have an API. */
  private lackingPath = 0;
  private mayHedge = true;
  private timer: NodeJS.Timeout | undefined;
  /** The most informative failure so far. */
  private failure: Ended<R, E> = { reply: tooManyQueued, node: undefined, head: undefined };
  private settle: ((outcome: CallOutcome<R, E>) => void) | undefined;

  constructor(
    private readonly call: NodeCall<R, E>,
    private readonly limits: AttemptLimits,
    private readonly nodes: NodeChoice,
  ) {
    this.deadlineMs = performance.now() + limits.timeoutMs;
  }

  /** Calls nodes until one gives a result or rejection, or the time is over. Never rejects. */
  run(): Promise<CallOutcome<R, E>> {
    return new Promise((resolve) => {
      this.settle = resolve;
      this.callAnother();
      if (this.running === 0) this.end(this.failure);
    });
  }

  private callAnother(): void {
    const hasTime = this.called.length === 0 || this.deadlineMs - performance.now() >= minTimeMs;
    const node = hasTime ? this.chooseNode() : undefined;
    if (node !== undefined) this.callNode(node);
    else this.shareEndsMs = Infinity;
    this.awaitTime();
  }

  /** Chooses a node that lacks the API only after others that turned out to lack the path too. */
  private chooseNode(): HiveNode | undefined {
    const { kind, method, pathRequest } = this.call;
    if (pathRequest === undefined) return this.nodes.choose(kind, this.called);
    const node = this.nodes.choose(kind, [...this.called, ...this.nodes.lackingApi(method)]);
    return node ?? (this.called.length === this.lackingPath ? this.nodes.choose(kind, this.called) : undefined);
  }

  private callNode(node: HiveNode): void {
    const { shareMs, hedgeDelayMs } = this.limits;
    this.called.push(node);
    this.running += 1;
    const nowMs = performance.now();
    this.shareEndsMs = this.mayCallMore ? nowMs + shareMs : Infinity;
    this.hedgeDueMs =
      this.mayHedge && this.mayCallMore && hedgeDelayMs !== undefined ? nowMs + hedgeDelayMs(node) : Infinity;
    const { head } = node;
    void node.send(this.call, this.cancellation).then((reply) => {
      this.take({ reply, node, head });
    });
  }

  private take(ended: Ended<R, E> & { node: HiveNode }): void {
    this.running -= 1;
    if (this.settle === undefined) return;
    const { reply, node } = ended;
    // While another attempt is running, its bytes may be what is missing in the budget: its response may fit.
    const isOverBudget = reply.kind === 'over-budget';
    if (reply.kind === 'result' || reply.kind === 'rejected' || (isOverBudget && this.running === 0)) {
      this.end(ended);
      return;
    }
    this.failures.push({ node, reply });
    if (reply.kind === 'not-served' && this.call.pathRequest !== undefined) this.lackingPath += 1;
    if (rank(reply) >= rank(this.failure.reply)) this.failure = ended;
    if (this.mayCallMore && !isOverBudget) this.callAnother();
    if (this.running === 0) this.end(this.failure);
  }

  private get mayCallMore(): boolean {
    return this.called.length - this.lackingPath < this.limits.maxAttempts;
  }

  /** Sets the one timer to what is due next. */
  private awaitTime(): void {
    clearTimeout(this.timer);
    const dueMs = Math.min(this.deadlineMs, this.shareEndsMs, this.hedgeDueMs);
    const dueInMs = Math.max(0, dueMs - performance.now());
    this.timer = setTimeout(() => {
      this.onTime();
    }, dueInMs);
  }

  private onTime(): void {
    const nowMs = performance.now() + timerErrorMs;
    if (nowMs >= this.deadlineMs) {
      const hasError = rank(this.failure.reply) > rank(noReplyInTime);
      this.end(hasError ? this.failure : { reply: noReplyInTime, node: undefined, head: undefined }, 'timeout');
      return;
    }
    if (nowMs >= this.hedgeDueMs) {
      this.mayHedge = false;
      this.hedgeDueMs = Infinity;
      if (this.nodes.takeHedge()) {
        this.callAnother();
        return;
      }
    }
    if (nowMs >= this.shareEndsMs) this.callAnother();
    else this.awaitTime();
  }

  private end({ reply, node, head }: Ended<R, E>, reason: 'superseded' | 'timeout' = 'superseded'): void {
    clearTimeout(this.timer);
    this.settle?.({ reply, node, head, called: this.called, failures: this.failures });
    this.settle = undefined;
    if (this.running > 0) this.cancellation.cancel(reason);
  }
}

/**
 * Orders failures by how informative they are: a node's JSON-RPC error first, then a failure, then that a node has no
 * such method.
 */
function rank(reply: NodeReply): number {
  if (reply === tooManyQueued) return 0;
  if (reply.kind === 'not-served') return 1;
  return reply.kind === 'failed' ? 2 : 3;
}
