import { BatchWriter } from './writing/batch-writer';
import { type BlockReader } from './reading/block-reader';
import { type LastIrreversibleBlock } from './reading/last-irreversible-block';
import { beforeFirstBlock, type ChainPoint, type Checkpoints } from './writing/checkpoint';
import { FatalChainError, OperationFormatError, OutvotedBlockError } from './errors';
import { isMismatch, isRejectedValue } from './error-kinds';
import { type FollowedBlock, type IsWanted } from './followed-block';
import { type FollowerSettings } from './options';
import { RetryPolicy, type RetryOptions } from './retry-policy';
import { Backoff } from './backoff';
import { type Progress } from './progress';
import { ReadAhead, type ReadAheadOptions } from './reading/read-ahead';
import { type Session } from './writing/session';
import { pause } from './abortable';

/** What the apply loop needs besides its session. It outlives the session. */
export interface ApplyLoopTools {
  readonly settings: FollowerSettings;
  readonly checkpoints: Checkpoints;
  readonly reader: BlockReader;
  readonly lastIrreversible: LastIrreversibleBlock;
  readonly progress: Progress;
}

/** Applies block after block, as long as the session, whose connection has the lock, lasts. */
export class ApplyLoop {
  constructor(
    private readonly session: Session,
    private readonly tools: ApplyLoopTools,
    /** Aborted when the follower is to end, or the session is lost. */
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Resolves when the last block is applied, or the signal is aborted.
   *
   * @throws FatalChainError; retryable errors of the database unchanged
   */
  async run(): Promise<void> {
    const { settings, checkpoints, reader, lastIrreversible, progress } = this.tools;
    const backoff = new Backoff(settings.firstPauseMs, settings.maxPauseMs);
    const onApplied = (blocks: readonly FollowedBlock[]): void => {
      progress.recordApplied(blocks);
      backoff.reset();
    };
    const writer = new BatchWriter(this.session, checkpoints, settings, onApplied, this.signal);
    let point = await this.loadOrCreateCheckpoint();
    for (;;) {
      const reading = new AbortController();
      const signal = AbortSignal.any([this.signal, reading.signal]);
      try {
        await this.writeAll(
          writer,
          point,
          new ReadAhead(reader, lastIrreversible, this.readAheadOptions(signal), point),
        );
        return;
      } catch (error) {
        this.prepareReread(error);
        await this.keepingAlive(pause(backoff.nextMs(), this.signal));
        point = (await checkpoints.find(this.session.client)) ?? point;
      } finally {
        reading.abort();
      }
    }
  }

  /** Prepares to read again from the checkpoint. @throws the error if reading again cannot resolve it */
  private prepareReread(error: unknown): void {
    const { reader, progress } = this.tools;
    if (error instanceof OperationFormatError) {
      reader.rejectOperation(error.position);
      progress.recordUndecodable(error);
    } else if (error instanceof OutvotedBlockError || isMismatch(error) || this.tryRereadElsewhere(error))
      progress.recordRetry(error);
    else throw error;
  }

  /**
   * Lets another node return a block after the database rejected one of its values.
   *
   * @returns false for other errors, or after several attempts
   */
  private tryRereadElsewhere(error: unknown): boolean {
    if (!(error instanceof FatalChainError) || !isRejectedValue(error.cause) || error.position === undefined)
      return false;
    return this.tools.reader.rereadElsewhere(error.position.block.number);
  }

  /**
   * @throws OperationFormatError, OutvotedBlockError or an error that `isMismatch` accepts, if the blocks must be read
   * again. Other errors as of `run`.
   */
  private async writeAll(writer: BatchWriter, after: ChainPoint, batches: ReadAhead): Promise<void> {
    let point = after;
    for (;;) {
      const blocks = await this.keepingAlive(batches.next());
      if (blocks === undefined) return;
      point = await writer.write(point, blocks);
    }
  }

  /** Returns the last applied block. The first time, that is the one before the block that `start` returns. */
  private async loadOrCreateCheckpoint(): Promise<ChainPoint> {
    const { settings, checkpoints, progress, reader } = this.tools;
    reader.require(await checkpoints.findProperties(this.session.client));
    const checkpoint = await checkpoints.find(this.session.client);
    if (checkpoint) {
      progress.updateCheckpoint(checkpoint);
      // Notices a node of another chain, or one that was reset, before anything is written.
      if (checkpoint.number > 0) await this.readBlock(checkpoint.number, checkpoint.id);
      return checkpoint;
    }
    const first = await settings.start(this.session.client, this.signal);
    if (!Number.isSafeInteger(first) || first < 1) throw new FatalChainError(`There is no block ${first}`, undefined);
    const point = first === 1 ? beforeFirstBlock : await this.readBlock(first - 1);
    await checkpoints.create(this.session.client, point);
    return point;
  }

  /** Waits until a block is irreversible, and reads it. @param id if it is known */
  private readBlock(number: number, id?: string): Promise<ChainPoint> {
    const { reader, lastIrreversible } = this.tools;
    const retry = new RetryPolicy(this.retryOptions());
    const block = retry.run(number, async () => {
      await lastIrreversible.higherThan(number - 1, this.signal);
      return await reader.readBlock(number, id);
    });
    return this.keepingAlive(block);
  }

  /** Waits, and keeps the connection from being idle in the meantime. */
  private async keepingAlive<T>(work: Promise<T>): Promise<T> {
    const waiting = new AbortController();
    const stop = (): void => {
      waiting.abort();
    };
    const settled = work.then(stop, stop);
    for (;;) {
      await Promise.race([settled, pause(this.tools.settings.idleTimeoutMs / 4, waiting.signal)]);
      if (waiting.signal.aborted) return work;
      await this.session.ping();
    }
  }

  private retryOptions(): RetryOptions {
    const { settings, progress } = this.tools;
    const { firstPauseMs, maxPauseMs } = settings;
    const onError = (error: unknown): void => {
      progress.recordRetry(error);
    };
    return { firstPauseMs, maxPauseMs, onError, signal: this.signal };
  }

  private readAheadOptions(signal: AbortSignal): ReadAheadOptions {
    const { settings, progress } = this.tools;
    const { operationTypes } = settings;
    const onNotCompared = (): void => {
      progress.recordNotCompared();
    };
    const types = operationTypes && new Set(operationTypes);
    const isWanted: IsWanted = (operation) =>
      (types?.has(operation.type) ?? true) && (settings.isWanted?.(operation) ?? true);
    return { ...settings, ...this.retryOptions(), signal, isWanted, onNotCompared };
  }
}
