import { trace } from '@opentelemetry/api';
import { type ChainPoint, type Checkpoints } from './checkpoint';
import { FatalChainError, OperationError, OperationFormatError } from '../errors';
import { isRetryable } from '../error-kinds';
import { type FollowedBlock } from '../followed-block';
import { type BlockFollowerOptions } from '../options';
import { type Session } from './session';
import { pause } from '../abortable';

/** The pause before `limitBatch` is called again after it returned 0: a snapshot is taken within a few milliseconds. */
const limitPauseMs = 20;

/** Writes what blocks change and the checkpoint in one transaction. */
export class BatchWriter {
  constructor(
    private readonly session: Session,
    private readonly checkpoints: Checkpoints,
    private readonly options: Pick<BlockFollowerOptions, 'apply' | 'limitBatch' | 'database'>,
    /** Called after each commit. */
    private readonly onApplied: (blocks: readonly FollowedBlock[]) => void,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Writes blocks, together if possible.
   *
   * @returns the last of the blocks, or the last one that was written before the signal was aborted
   * @throws OperationFormatError if a handler cannot decode an operation, FatalChainError if a block cannot be applied.
   * The blocks before it are written then. Retryable errors are thrown unchanged.
   */
  async write(from: ChainPoint, blocks: readonly FollowedBlock[]): Promise<ChainPoint> {
    let point = from;
    let rest = blocks;
    try {
      while (rest.length > 0) {
        const written = await this.writeTogether(point, rest);
        point = written.at(-1) ?? point;
        rest = rest.slice(written.length);
        if (written.length === 0) await pause(limitPauseMs, this.signal);
        if (this.signal.aborted) return point;
      }
      return point;
    } catch (error) {
      if (isRetryable(error, this.options.database)) throw error;
      if (rest.length === 1) throw error instanceof OperationFormatError ? error : fatal(rest, error);
    }
    // Only applying each block alone shows which one fails.
    for (const block of rest) {
      if (this.signal.aborted) return point;
      point = await this.write(point, [block]);
    }
    return point;
  }

  /** As `writeInTransaction`, in a span. */
  private writeTogether(from: ChainPoint, blocks: readonly FollowedBlock[]): Promise<readonly FollowedBlock[]> {
    return trace.getTracer('@waggle/chain').startActiveSpan('apply blocks', (span) =>
      this.writeInTransaction(from, blocks).finally(() => {
        span.end();
      }),
    );
  }

  /** @returns the blocks that were written, which `limitBatch` may limit */
  private async writeInTransaction(
    from: ChainPoint,
    blocks: readonly FollowedBlock[],
  ): Promise<readonly FollowedBlock[]> {
    const { apply, limitBatch } = this.options;
    const written = await this.session.transaction(async (client) => {
      const limited = limitBatch === undefined ? blocks : blocks.slice(0, await limitBatch(client, blocks));
      const to = limited.at(-1);
      if (to === undefined) return [];
      await apply(client, limited);
      await this.checkpoints.move(client, from, to);
      return limited;
    });
    if (written.length > 0) this.onApplied(written);
    return written;
  }
}

/**
 * Reached if every node returns a value that the database rejects, such as a sum beyond 64 bits. No true block has one:
 * the supply of each asset fits into 64 bits.
 */
function fatal([block]: readonly FollowedBlock[], error: unknown): FatalChainError {
  const position = block && { block: { number: block.number, id: block.id } };
  if (error instanceof OperationError) return new FatalChainError(error.message, error.position, error);
  return new FatalChainError(`Block ${position?.block.number} could not be applied`, position, error);
}
