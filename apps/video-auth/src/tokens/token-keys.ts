import { type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type PublicTokenKeys } from '@waggle/contracts';
import { ThrottledLog, type Logger, type SigningKey } from '@waggle/service';
import { type KeySource } from '../config';
import { newKeyDocument, readKeyDocument } from './key-document';
import { KeyFile } from './key-file';
import { KeySet } from './key-set';

/** An unknown kid triggers a reload, at most at this interval, because clients can invent kids. */
const minReloadIntervalMs = 1_000;

/** The keys that sign and verify tokens, as they are now. Those of a file are read again while the service runs. */
export class TokenKeys {
  private reading = Promise.resolve();
  /** The reload that follows the running one. */
  private next: Promise<void> | undefined;
  /** When the file was last read for an unknown kid. */
  private kidReloadAtMs = -Infinity;
  /** The next reload for an unknown kid, until it begins. */
  private pendingKidReload: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly failures: ThrottledLog;

  private constructor(
    private keys: KeySet,
    private readonly logger: Logger,
    private readonly file?: KeyFile,
    reloadMs?: number,
  ) {
    this.failures = ThrottledLog.errors(logger, 'cannot read the token keys: the previous ones stay in use');
    if (file !== undefined) this.timer = setInterval(() => void this.read(), reloadMs).unref();
  }

  /** @throws Error if the source has no keys */
  static async open(source: KeySource | undefined, logger: Logger): Promise<TokenKeys> {
    if (source === undefined) {
      logger.warn(
        'no TOKEN_KEYS_FILE: generated a key for this process; its tokens end with it and no other instance accepts them',
      );
      return TokenKeys.ephemeral(logger);
    }
    if ('text' in source) return new TokenKeys(new KeySet(readKeyDocument(source.text)), logger);
    const file = new KeyFile(source.file);
    const keys = await file.readChange();
    if (keys === undefined) throw new Error('a file that was not read before has changed');
    return new TokenKeys(keys, logger, file, source.reloadMs);
  }

  /** Generates keys for this process only. */
  static ephemeral(logger: Logger): TokenKeys {
    return new TokenKeys(new KeySet(newKeyDocument(new Date())), logger);
  }

  /** The key that signs. */
  get current(): SigningKey {
    return this.keys.current;
  }

  get published(): PublicTokenKeys {
    return this.keys.published;
  }

  /** The key that verifies tokens with this `kid`. Another instance may sign with it before this one has read the file. */
  async find(id: string): Promise<KeyObject | undefined> {
    const known = this.keys.find(id);
    if (known !== undefined || this.file === undefined) return known;
    await this.reloadForUnknownKid();
    return this.keys.find(id);
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Concurrent callers share the reload, so that an invented kid does not hide a new one. */
  private reloadForUnknownKid(): Promise<void> {
    const waitMs = Math.max(0, this.kidReloadAtMs + minReloadIntervalMs - performance.now());
    this.pendingKidReload ??= pause(waitMs, undefined, { ref: false }).then(() => {
      this.pendingKidReload = undefined;
      this.kidReloadAtMs = performance.now();
      return this.read();
    });
    return this.pendingKidReload;
  }

  /**
   * Reloads after the running reload, which may have read the old file; callers meanwhile share it. Never rejects: the
   * previous keys stay valid.
   */
  private read(): Promise<void> {
    this.next ??= this.reading.then(() => {
      this.next = undefined;
      return this.readFile();
    });
    this.reading = this.next;
    return this.reading;
  }

  private async readFile(): Promise<void> {
    try {
      const changed = await this.file?.readChange();
      if (changed !== undefined) {
        this.keys = changed;
        this.logger.info({ current: changed.current.id }, 'read other token keys');
      }
    } catch (error) {
      this.failures.log(error);
    }
  }
}
