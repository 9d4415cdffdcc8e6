import { type FatalChainError, type OperationFormatError } from './errors';
import { type FollowerRole, type FollowerStatus } from './options';

/** Status of a follower, and the block where it ends: Infinity if there is none. */
export type ObservedStatus = FollowerStatus & { readonly endBlock: number };

/** Receives what a follower does, for logs and metrics. Its methods must not throw. */
export interface FollowerObserver {
  onRole(role: FollowerRole): void;
  /** @param count of blocks that were committed */
  onApplied(count: number): void;
  /**
   * The follower tries again after a pause.
   *
   * @param isContradiction whether every failure is that a node contradicts itself, the chain or another node
   */
  onRetry(error: unknown, isContradiction: boolean): void;
  /** A handler cannot decode an operation; its block is read from another node. */
  onUndecodable(error: OperationFormatError): void;
  /** A range is applied without a second node that could confirm it. */
  onNotCompared(): void;
  onStop(error: FatalChainError): void;
}

/**
 * Begins to observe the follower of this name.
 *
 * @param status may be called at any time, such as when metrics are collected
 */
export type ObserveFollower = (name: string, status: () => ObservedStatus) => FollowerObserver;
