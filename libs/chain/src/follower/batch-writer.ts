import { type ClientBase } from 'pg';
import { type ChainPoint } from './chain-point';
import { type Checkpoints } from './checkpoint';
import { FatalChainError, OperationError, OperationFormatError } from './errors';
import { isTemporary } from './faults';
import { type FollowedBlock } from './followed-block';
import { type FollowerDatabase } from './options';
import { type Session } from './session';

export type ApplyBlocks = (client: ClientBase, blocks: readonly FollowedBlock[]) => Promise<void>;

/** Writes what blocks change and the checkpoint in one transaction. */
export class BatchWriter {
  constructor(
    private readonly session: Session,
    private readonly database: FollowerDatabase,
    private readonly checkpoints: Checkpoints,
    private readonly apply: ApplyBlocks,
    /** Told of what is committed. */
    private readonly onApplied: (blocks: readonly FollowedBlock[]) => void,
  ) {}

  /**
   * @returns the last of the blocks
   * @throws OperationFormatError if a handler cannot decode an operation, FatalChainError if a block cannot be applied; the blocks
   *   before it then are. Temporary faults as they come.
   */
  async write(from: ChainPoint, blocks: readonly FollowedBlock[]): Promise<ChainPoint> {
    try {
      return await this.writeTogether(from, blocks);
    } catch (error) {
      if (isTemporary(error, this.database)) throw error;
      if (blocks.length === 1) throw error instanceof OperationFormatError ? error : fatal(blocks, error);
    }
    // Which of them it was can be told only by trying each alone.
    let point = from;
    for (const block of blocks) point = await this.write(point, [block]);
    return point;
  }

  private async writeTogether(from: ChainPoint, blocks: readonly FollowedBlock[]): Promise<ChainPoint> {
    const to = blocks.at(-1) ?? from;
    await this.session.transaction(async (client) => {
      await this.apply(client, blocks);
      await this.checkpoints.move(client, from, to);
    });
    this.onApplied(blocks);
    return to;
  }
}

function fatal([block]: readonly FollowedBlock[], error: unknown): FatalChainError {
  const place = block && { block: { number: block.number, id: block.id } };
  if (error instanceof OperationError) return new FatalChainError(error.message, error.place, error);
  return new FatalChainError(`Block ${place?.block.number} could not be applied`, place, error);
}
