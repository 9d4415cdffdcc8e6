import { BlockReader } from './block-reader';
import { ChainHead } from './chain-head';
import { Checkpoints } from './checkpoint';
import { FatalChainError } from './errors';
import { isTemporary } from './faults';
import { Leadership, type LeaderTools } from './leadership';
import { type BlockFollowerOptions, type FollowerSettings, type FollowerStatus, settingsOf } from './options';
import { Pauses } from './pauses';
import { Progress } from './progress';
import { Session, SessionLostError } from './session';
import { pause } from './waiting';

/**
 * Follows the irreversible blocks of the chain into a database: each block once, in order, with what it changes and the
 * checkpoint in one transaction. Of several followers of a name one leads and the others stand by.
 */
export class BlockFollower {
  private readonly settings: FollowerSettings;
  private readonly progress: Progress;
  private readonly tools: LeaderTools;

  /** @throws RangeError if an option is out of range, or names a virtual operation that there is none of */
  constructor(options: BlockFollowerOptions) {
    const settings = settingsOf(options);
    const { api, name, observe, endBlock, pollIntervalMs } = settings;
    const progress = new Progress(name, observe, endBlock);
    const head = new ChainHead(api, pollIntervalMs, (blocks) => {
      progress.sawHead(blocks);
    });
    const reader = new BlockReader(api, settings.virtualOperations, (node, block) => head.mayDeny(node, block));
    this.settings = settings;
    this.progress = progress;
    this.tools = {
      settings,
      checkpoints: new Checkpoints(name, () => reader.traits),
      reader,
      head,
      progress,
    };
  }

  /**
   * Resolves when the signal is aborted, after what is being applied is committed; or when the last block of a bounded
   * range is applied. Whatever passes by itself (no node, no database) is waited for.
   *
   * @throws FatalChainError
   */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.runSessions(signal);
    } catch (error) {
      const fatal = asFatal(error);
      this.progress.hasFailed(fatal);
      throw fatal;
    } finally {
      this.progress.take('ended');
    }
  }

  status(): FollowerStatus {
    return this.progress.status();
  }

  /** One session after the other, each until its connection is lost. */
  private async runSessions(signal: AbortSignal): Promise<void> {
    const pauses = new Pauses(this.settings.firstPauseMs, this.settings.longestPauseMs);
    while (!signal.aborted) {
      const { processedBlock } = this.status();
      try {
        if (await this.runSession(signal)) return;
      } catch (error) {
        if (!isTemporary(error, this.settings.database)) throw error;
        this.progress.take('waiting');
        this.progress.isHeldUp(error);
      }
      if (this.status().processedBlock !== processedBlock) pauses.reset();
      await pause(pauses.next(), signal);
    }
  }

  /** @returns whether all is done. Temporary faults as they come. */
  private async runSession(signal: AbortSignal): Promise<boolean> {
    const { database, name, statementTimeoutMs, idleTimeoutMs } = this.settings;
    const session = await Session.open({ database, name, statementTimeoutMs, idleTimeoutMs });
    const ending = new AbortController();
    const end = (): void => {
      ending.abort();
    };
    signal.addEventListener('abort', end);
    void session.lost.then(end);
    try {
      if (signal.aborted) return true;
      if (await this.standBy(session, ending.signal)) {
        this.progress.take('leader');
        await new Leadership(session, this.tools, ending.signal).follow();
      }
      if (session.isLost) throw new SessionLostError();
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      throw session.isLost ? new SessionLostError(error) : error;
    } finally {
      end();
      signal.removeEventListener('abort', end);
      await session.close();
    }
  }

  /** @returns whether the lock is ours; not where the signal was aborted before. */
  private async standBy(session: Session, signal: AbortSignal): Promise<boolean> {
    const { name, lockIntervalMs } = this.settings;
    while (!(await session.tryLock(name))) {
      this.progress.take('standby');
      const checkpoint = await this.tools.checkpoints.find(session.client);
      if (checkpoint) this.progress.sawCheckpoint(checkpoint);
      await pause(lockIntervalMs, signal);
      if (signal.aborted) return false;
    }
    return true;
  }
}

function asFatal(error: unknown): FatalChainError {
  if (error instanceof FatalChainError) return error;
  return new FatalChainError(`The block follower cannot go on: ${String(error)}`, undefined, error);
}
