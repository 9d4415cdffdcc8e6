import { type CallKind, readKind } from '@waggle/chain';
import { type Route } from '../routes/route';
import { type NodeHead } from './chain-head';
import { type NodeFault, type NodeReply } from './node-reply';
import { BreakOff } from './post';
import { type UpstreamCall, type UpstreamNode } from './upstream-node';

/** How a call ended, and how many times a node was asked. */
export interface UpstreamOutcome {
  readonly reply: NodeReply;
  /** Whose reply it is; undefined where none was asked. */
  readonly node: UpstreamNode | undefined;
  /** How far that node was known to be when it was asked. */
  readonly head: NodeHead | undefined;
  readonly attempts: number;
}

type Ended = Omit<UpstreamOutcome, 'attempts'>;

/** What the attempts need of the backend. */
export interface NodeChoice {
  /** The node to ask next that is not among these and has room for a call. */
  choose(kind: CallKind, except: readonly UpstreamNode[]): UpstreamNode | undefined;
  mayHedge(): boolean;
}

/** A timer may fire that much before its time. */
const timerErrorMs = 1;

export const tooMuchWaits: NodeFault = {
  kind: 'fault',
  fault: 'overloaded',
  detail: 'too many calls wait',
  blame: 'caller',
  wasSent: false,
};
const noAnswerInTime: NodeFault = {
  kind: 'fault',
  fault: 'timeout',
  detail: 'no answer in time',
  blame: 'unclear',
  wasSent: true,
};

/**
 * One read. The first final reply counts; what still runs then is broken off. Another node is asked, while the first may
 * still answer, as soon as a node fails, has not answered within its share of the time, or may be hedged.
 */
export class ReadAttempts {
  private readonly breakOff = new BreakOff();
  private readonly asked: UpstreamNode[] = [];
  private readonly kind: CallKind;
  private readonly startedMs = performance.now();
  private lastAskedMs = 0;
  private attempts = 0;
  private running = 0;
  private mayHedge: boolean;
  private timer: NodeJS.Timeout | undefined;
  private failure: Ended = { reply: tooMuchWaits, node: undefined, head: undefined };
  private settle: ((outcome: UpstreamOutcome) => void) | undefined;

  constructor(
    private readonly call: UpstreamCall,
    private readonly route: Pick<Route, 'retries' | 'hedgeMs'>,
    private readonly timeoutMs: number,
    private readonly nodes: NodeChoice,
  ) {
    this.kind = readKind(call.method);
    this.mayHedge = route.hedgeMs !== undefined;
  }

  /** Never rejects. */
  run(): Promise<UpstreamOutcome> {
    return new Promise((resolve) => {
      this.settle = resolve;
      this.askAnother();
      if (this.running === 0) this.end(this.failure);
    });
  }

  private askAnother(): void {
    const node = this.nodes.choose(this.kind, this.asked);
    if (node !== undefined) this.ask(node);
    else this.lastAskedMs = Infinity;
    this.awaitTime();
  }

  private ask(node: UpstreamNode): void {
    this.asked.push(node);
    this.attempts += 1;
    this.running += 1;
    this.lastAskedMs = performance.now();
    const { head } = node;
    void node.ask(this.call, this.breakOff, 'read').then((reply) => {
      this.take({ reply, node, head });
    });
  }

  private take(ended: Ended & { node: UpstreamNode }): void {
    this.running -= 1;
    if (this.settle === undefined) return;
    const { reply, node } = ended;
    // Where another attempt runs, the room that it has taken may be what is wanting: its answer may fit.
    const isTooLong = reply.kind === 'too-long';
    if (reply.kind === 'result' || reply.kind === 'refused' || (isTooLong && this.running === 0)) {
      this.end(ended);
      return;
    }
    if (rank(reply) >= rank(this.failure.reply)) this.failure = ended;
    if (this.mayAskMore && !isTooLong) {
      this.askAnother();
      // A connection that was idle too long says nothing about the next one.
      if (this.running === 0 && wasReset(reply)) this.ask(node);
    }
    if (this.running === 0) this.end(this.failure);
  }

  private get mayAskMore(): boolean {
    return this.attempts <= this.route.retries;
  }

  /** One timer, for what is due next. */
  private awaitTime(): void {
    clearTimeout(this.timer);
    const dueMs = Math.min(this.deadlineMs, this.shareEndsMs, this.hedgeDueMs);
    this.timer = setTimeout(() => {
      this.timeHasCome();
    }, dueMs - performance.now());
  }

  private timeHasCome(): void {
    const nowMs = performance.now() + timerErrorMs;
    if (nowMs >= this.deadlineMs) {
      const hasError = rank(this.failure.reply) > rank(noAnswerInTime);
      this.end(hasError ? this.failure : { reply: noAnswerInTime, node: undefined, head: undefined }, false);
      return;
    }
    if (nowMs >= this.hedgeDueMs) {
      this.mayHedge = false;
      if (this.nodes.mayHedge()) {
        this.askAnother();
        return;
      }
    }
    if (nowMs >= this.shareEndsMs) this.askAnother();
    else this.awaitTime();
  }

  private get deadlineMs(): number {
    return this.startedMs + this.timeoutMs;
  }

  /** When the last node that was asked has had its share of the time. */
  private get shareEndsMs(): number {
    return this.mayAskMore ? this.lastAskedMs + this.timeoutMs / (this.route.retries + 1) : Infinity;
  }

  private get hedgeDueMs(): number {
    return this.mayHedge && this.mayAskMore ? this.startedMs + (this.route.hedgeMs ?? 0) : Infinity;
  }

  private end({ reply, node, head }: Ended, isAnswered = true): void {
    clearTimeout(this.timer);
    this.settle?.({ reply, node, head, attempts: this.attempts });
    this.settle = undefined;
    this.breakOff.isAnswered = isAnswered;
    if (this.running > 0) this.breakOff.now();
  }
}

/** Of several failures the one that says most: an error in a node's words, then why there is none, then that a node has no such method. */
function rank(reply: NodeReply): number {
  if (reply === tooMuchWaits) return 0;
  if (reply.kind === 'not-served') return 1;
  return reply.kind === 'fault' ? 2 : 3;
}

function wasReset(reply: NodeReply): boolean {
  return reply.kind === 'fault' && reply.fault === 'unreachable' && reply.blame === 'unclear';
}
