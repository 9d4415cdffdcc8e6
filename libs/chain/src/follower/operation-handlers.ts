import { z } from 'zod';
import { type ErrorPosition, OperationError, OperationFormatError } from './errors';
import { type FollowedBlock, type FollowedOperation } from './followed-block';

/** An operation and the block that contains it. */
export interface OperationPosition {
  readonly block: FollowedBlock;
  readonly operation: FollowedOperation;
}

/** What a service does with one type of operation; made by `onOperation`. */
export interface OperationHandler<Batch> {
  /** Such as `delegate_vesting_shares_operation`. */
  readonly type: string;
  /** Decodes the value. @throws OperationFormatError if that is not possible */
  readonly decode: (position: OperationPosition) => unknown;
  /** @throws Error if the operation cannot be applied */
  readonly handle: (batch: Batch, position: OperationPosition) => void | Promise<void>;
}

/**
 * Creates the handler of one type of operation, which gets the decoded value.
 *
 * @param type such as `delegate_vesting_shares_operation`
 * @param shape of its value; should allow unknown keys
 * @param handle adds what the operation changes to the batch, which the service then writes with few statements
 */
export function onOperation<Batch, Value>(
  type: string,
  shape: z.ZodType<Value>,
  handle: (batch: Batch, value: Value, position: OperationPosition) => void | Promise<void>,
): OperationHandler<Batch> {
  const compiled = z.compile(shape);
  const decode = (position: OperationPosition): Value => {
    const decoded = compiled.safeParse(position.operation.value);
    if (!decoded.success) throw new OperationFormatError(errorPositionOf(position), decoded.error);
    return decoded.data;
  };
  return { type, decode, handle: (batch, position) => handle(batch, decode(position), position) };
}

/** The handlers of a service by type. Operations of other types are ignored. */
export class OperationHandlers<Batch> {
  private readonly byType: ReadonlyMap<string, OperationHandler<Batch>>;

  /** @throws RangeError if there are two of a type */
  constructor(handlers: readonly OperationHandler<Batch>[]) {
    this.byType = new Map(handlers.map((handler) => [handler.type, handler]));
    if (this.byType.size < handlers.length) throw new RangeError('there are two handlers of one type of operation');
  }

  /** The handled types: `operationTypes` of a follower. */
  get types(): readonly string[] {
    return [...this.byType.keys()];
  }

  /**
   * Decodes the operations of a block without handling them.
   *
   * @throws OperationFormatError if a handler cannot decode a value
   */
  decode(block: FollowedBlock): void {
    for (const operation of block.operations) this.byType.get(operation.type)?.decode({ block, operation });
  }

  /**
   * Handles the operations of the blocks in the order of the chain.
   *
   * @throws OperationFormatError if a handler cannot decode a value, OperationError if a handler fails
   */
  async handle(batch: Batch, blocks: readonly FollowedBlock[]): Promise<void> {
    for (const block of blocks) {
      for (const operation of block.operations) {
        const handler = this.byType.get(operation.type);
        if (!handler) continue;
        try {
          const handled = handler.handle(batch, { block, operation });
          // Most handlers are synchronous.
          if (handled) await handled;
        } catch (error) {
          if (error instanceof OperationFormatError) throw error;
          throw new OperationError(errorPositionOf({ block, operation }), error);
        }
      }
    }
  }
}

/**
 * Returns the position of an operation for errors and log lines, which must contain no content: only numbers and ids.
 */
export function errorPositionOf({ block: { number, id }, operation }: OperationPosition): Required<ErrorPosition> {
  const { index, type, transactionId, isVirtual } = operation;
  return { block: { number, id }, operation: { index, type, transactionId, isVirtual } };
}
