import { Cancellation } from './cancellation';
import { type HiveRpcError } from './errors';
import { type HiveNode } from './hive-node';
import { type NodeCall } from './node-call';
import { type NodeReply } from './node-reply';
import { tooManyQueued } from './read-attempts';

export interface Vote<T> {
  readonly node: HiveNode;
  readonly result: T;
}

export interface VoteOutcome<T> {
  /** The votes for the result that more than half of the nodes give; undefined if there is no such result. */
  readonly majority: readonly Vote<T>[] | undefined;
  /** The votes for other results. */
  readonly others: readonly Vote<T>[];
  readonly failures: readonly { readonly node: HiveNode; readonly reply: NodeReply<T, HiveRpcError> }[];
}

export interface VoteOptions {
  /** All nodes: more than half of them decide. */
  readonly nodes: readonly HiveNode[];
  /** The nodes that are called first. The others are called if these do not agree, or not in time. */
  readonly first: readonly HiveNode[];
  /** Time that only the first nodes are called, in milliseconds. */
  readonly delayMs: number;
}

/** Calls nodes until more than half of them return the same result, or none can get that many votes any more. */
export class MajorityVote<T> {
  private readonly cancellation = new Cancellation();
  private readonly votes = new Map<string, Vote<T>[]>();
  private readonly failures: { node: HiveNode; reply: NodeReply<T, HiveRpcError> }[] = [];
  private uncalled: readonly HiveNode[];
  private running = 0;
  private timer: NodeJS.Timeout | undefined;
  private settle: ((outcome: VoteOutcome<T>) => void) | undefined;

  constructor(
    private readonly call: NodeCall<T, HiveRpcError>,
    private readonly options: VoteOptions,
  ) {
    this.uncalled = options.nodes.filter((node) => !options.first.includes(node));
  }

  /**
   * Calls the nodes and resolves when the vote is decided. Each node has the time limit of the call, from when it is
   * called. Never rejects.
   */
  run(): Promise<VoteOutcome<T>> {
    return new Promise((resolve) => {
      this.settle = resolve;
      for (const node of this.options.first) this.callNode(node);
      if (this.uncalled.length > 0) {
        this.timer = setTimeout(() => {
          this.callOthers();
        }, this.options.delayMs);
      }
    });
  }

  private callNode(node: HiveNode): void {
    this.running += 1;
    const replying = node.isFull ? Promise.resolve(tooManyQueued) : node.send(this.call, this.cancellation);
    void replying.then((reply) => {
      this.take(node, reply);
    });
  }

  private callOthers(): void {
    const others = this.uncalled;
    this.uncalled = [];
    for (const node of others) this.callNode(node);
  }

  private take(node: HiveNode, reply: NodeReply<T, HiveRpcError>): void {
    this.running -= 1;
    if (this.settle === undefined) return;
    if (reply.kind === 'result') this.count({ node, result: reply.result });
    else this.failures.push({ node, reply });
    this.decide();
  }

  /** Ends the vote if it is decided, and calls the other nodes if the running calls cannot decide it. */
  private decide(): void {
    const most = this.mostVotes;
    const mostWithRunning = most.length + this.running;
    if (this.isMajority(most.length)) this.end(most);
    else if (this.isMajority(mostWithRunning)) return;
    else if (this.isMajority(mostWithRunning + this.uncalled.length)) this.callOthers();
    else this.end(undefined);
  }

  private count(vote: Vote<T>): void {
    // In an array, because JSON has no undefined.
    const key = JSON.stringify([vote.result]);
    const same = this.votes.get(key);
    if (same === undefined) this.votes.set(key, [vote]);
    else same.push(vote);
  }

  private get mostVotes(): readonly Vote<T>[] {
    return [...this.votes.values()].reduce((most, votes) => (votes.length > most.length ? votes : most), []);
  }

  private isMajority(votes: number): boolean {
    return votes > this.options.nodes.length / 2;
  }

  private end(majority: readonly Vote<T>[] | undefined): void {
    clearTimeout(this.timer);
    const others = [...this.votes.values()].filter((votes) => votes !== majority).flat();
    this.settle?.({ majority, others, failures: this.failures });
    this.settle = undefined;
    this.cancellation.cancel('superseded');
  }
}
