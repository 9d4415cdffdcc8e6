import { type HeadBlocks } from './reading/agreed-irreversible-block';
import { BlockReader } from './reading/block-reader';
import { LastIrreversibleBlock } from './reading/last-irreversible-block';
import { Checkpoints } from './writing/checkpoint';
import { FatalChainError } from './errors';
import { isRetryable } from './error-kinds';
import { ApplyLoop, type ApplyLoopTools } from './apply-loop';
import { type BlockFollowerOptions, type FollowerStatus, settingsOf } from './options';
import { Backoff } from './backoff';
import { Progress } from './progress';
import { Session, SessionLostError } from './writing/session';
import { pause } from './abortable';

/**
 * Follows the irreversible blocks of the chain into a database: each block once, in order, with what it changes and the
 * checkpoint in one transaction. Of several followers of a name one leads and the others stand by.
 */
export class BlockFollower {
  private readonly tools: ApplyLoopTools;

  /** @throws RangeError if an option is out of range, or names an unknown virtual operation */
  constructor(options: BlockFollowerOptions) {
    const settings = settingsOf(options);
    const { api, name, observe, endBlock, pollIntervalMs, storageDelayMs } = settings;
    const progress = new Progress(name, observe, endBlock);
    const onHead = (headBlocks: HeadBlocks): void => {
      progress.updateHead(headBlocks);
    };
    const lastIrreversible = new LastIrreversibleBlock(api, { pollIntervalMs, storageDelayMs, onHead });
    const reader = new BlockReader(api, settings.virtualOperations, lastIrreversible, settings);
    const checkpoints = new Checkpoints(name, () => reader.properties);
    this.tools = { settings, checkpoints, reader, lastIrreversible, progress };
  }

  /**
   * Resolves when the signal is aborted, after what is being applied is committed; or when the last block of a bounded
   * range is applied. Retries while no node or no database responds.
   *
   * @throws FatalChainError
   */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.runSessions(signal);
    } catch (error) {
      const fatal = asFatal(error);
      this.tools.progress.recordStop(fatal);
      throw fatal;
    } finally {
      this.tools.progress.setRole('ended');
    }
  }

  status(): FollowerStatus {
    return this.tools.progress.status();
  }

  /** Runs one session after another, each until its connection is lost. */
  private async runSessions(signal: AbortSignal): Promise<void> {
    const { settings, progress } = this.tools;
    const backoff = new Backoff(settings.firstPauseMs, settings.maxPauseMs);
    while (!signal.aborted) {
      const { processedBlock: processedBefore } = this.status();
      try {
        await this.runSession(signal);
        return;
      } catch (error) {
        if (!isRetryable(error, settings.database)) throw error;
        progress.setRole('waiting');
        progress.recordRetry(error);
      }
      if (this.status().processedBlock !== processedBefore) backoff.reset();
      await pause(backoff.nextMs(), signal);
    }
  }

  /**
   * Resolves as `run` does. Errors after an abort are ignored.
   *
   * @throws SessionLostError if the session is lost; other errors unchanged
   */
  private async runSession(signal: AbortSignal): Promise<void> {
    const session = await Session.open(this.tools.settings);
    const sessionEnd = new AbortController();
    const end = (): void => {
      sessionEnd.abort();
    };
    signal.addEventListener('abort', end);
    void session.lost.then(end);
    try {
      if (signal.aborted) return;
      if (await this.standBy(session, sessionEnd.signal)) {
        this.tools.progress.setRole('leader');
        await new ApplyLoop(session, this.tools, sessionEnd.signal).run();
      }
      if (session.isLost) throw new SessionLostError();
    } catch (error) {
      if (signal.aborted) return;
      throw session.isLost ? new SessionLostError(error) : error;
    } finally {
      end();
      signal.removeEventListener('abort', end);
      await session.close();
    }
  }

  /** Waits for the lock. @returns false if the signal is aborted first */
  private async standBy(session: Session, signal: AbortSignal): Promise<boolean> {
    const { settings, checkpoints, progress } = this.tools;
    while (!(await session.tryLock(settings.name))) {
      progress.setRole('standby');
      const checkpoint = await checkpoints.find(session.client);
      if (checkpoint) progress.updateCheckpoint(checkpoint);
      await pause(settings.lockIntervalMs, signal);
      if (signal.aborted) return false;
    }
    return true;
  }
}

function asFatal(error: unknown): FatalChainError {
  if (error instanceof FatalChainError) return error;
  return new FatalChainError(`The block follower cannot continue: ${String(error)}`, undefined, error);
}
