import { type z } from 'zod';
import { type ComparedNodes } from '../api/hive-api';
import { readKind } from '../node/call-kind';
import { HiveNodesUnavailableError } from '../node/errors';
import { type HiveNode } from '../node/hive-node';
import { type HiveNodes, type NodeResult } from '../node/hive-nodes';
import { resultReader } from '../node/http/json-rpc';
import { failureOf } from '../node/node-reply';

export interface TimeLimits {
  /** Time limit of each call. */
  readonly timeoutMs: number;
  /** The time when all calls end, on the monotonic clock. */
  readonly endMs: number;
}

/**
 * One node in place of all nodes of a service. Unlike `HiveClient` it neither repeats a call nor ejects the node, so
 * that each call shows what this node responds.
 */
export class CheckedNode implements HiveNodes, ComparedNodes {
  readonly nodeCount = 1;
  private readonly msByMethod = new Map<string, number>();

  constructor(
    private readonly node: HiveNode,
    private readonly limits: TimeLimits,
  ) {}

  /** Returns the duration of the first call of a method; undefined if there was none. */
  msOf(method: string): number | undefined {
    return this.msByMethod.get(method);
  }

  async callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>> {
    const startedMs = performance.now();
    const reply = await this.node.send({
      method,
      paramsText: JSON.stringify(params),
      kind: readKind(method),
      purpose: 'read',
      readResponse: resultReader(method, result),
      timeoutMs: this.timeLeftMs(startedMs),
    });
    if (!this.msByMethod.has(method)) this.msByMethod.set(method, performance.now() - startedMs);
    if (reply.kind === 'result') return { node: this.node.name, value: reply.result };
    if (reply.kind === 'rejected' || reply.kind === 'not-served') throw reply.error;
    throw new HiveNodesUnavailableError(method, [failureOf({ node: this.node, reply })]);
  }

  /** @param api its root, such as `/hafah-api/` @returns whether the node has the API */
  async hasApi(api: string): Promise<boolean> {
    const startedMs = performance.now();
    const reply = await this.node.findApi(api, this.timeLeftMs(startedMs));
    this.msByMethod.set(api, performance.now() - startedMs);
    if (reply.kind === 'result') return reply.result;
    throw new HiveNodesUnavailableError(api, [failureOf({ node: this.node, reply })]);
  }

  private timeLeftMs(nowMs: number): number {
    return Math.max(1, Math.min(this.limits.timeoutMs, this.limits.endMs - nowMs));
  }

  async call<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    return (await this.callWithNode(method, params, result)).value;
  }

  async callWorkingNodes<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<readonly NodeResult<T>[]> {
    return [await this.callWithNode(method, params, result)];
  }

  majority<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<T> {
    return this.call(method, params, result);
  }

  recordContradiction(): void {
    // There is no other node to prefer.
  }

  recordMismatch(): void {
    // As `recordContradiction`.
  }
}
