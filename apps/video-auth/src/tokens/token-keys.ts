import { type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type PublicTokenKeys } from '@waggle/contracts';
import { ThrottledLog, type Logger, type SigningKey } from '@waggle/service';
import { newKeyDocument, readKeyDocument } from './key-document';
import { KeySet } from './key-set';
import { type KeySource } from './token-settings';

/** An unknown kid triggers a reload, at most at this interval, because clients can invent kids. */
const minReloadIntervalMs = 1_000;

/** The keys that sign and verify tokens, as they are now. Keys in a file are read again while the service runs. */
export class TokenKeys {
  /** Settles when the running reload is done. */
  private running = Promise.resolve();
  /** The reload that follows the running one, until it begins. */
  private queued: Promise<void> | undefined;
  /** When the file was last read for an unknown kid. */
  private kidReloadAtMs = -Infinity;
  /** The next reload for an unknown kid, until it begins. */
  private pendingKidReload: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly failures: ThrottledLog;

  private constructor(
    private keys: KeySet,
    private readonly logger: Logger,
    /**
     * A file with a key document, which is replaced while the service runs, and the text that `keys` were read from.
     */
    private readonly source?: { readonly file: string; readonly reloadMs: number; text: string },
  ) {
    this.failures = ThrottledLog.errors(logger, 'cannot read the token keys: the previous ones stay in use');
    if (source !== undefined) this.timer = setInterval(() => void this.read(), source.reloadMs).unref();
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
    const text = await readFile(source.file, 'utf8');
    return new TokenKeys(new KeySet(readKeyDocument(text)), logger, { ...source, text });
  }

  /** Generates keys for this process only. */
  private static ephemeral(logger: Logger): TokenKeys {
    return new TokenKeys(new KeySet(newKeyDocument(new Date())), logger);
  }

  /** The key that signs. */
  get current(): SigningKey {
    return this.keys.current;
  }

  get published(): PublicTokenKeys {
    return this.keys.published;
  }

  /** The key that verifies tokens with this `kid`. Another instance may sign with it before this one reads the file. */
  async find(id: string): Promise<KeyObject | undefined> {
    const known = this.keys.find(id);
    if (known !== undefined || this.source === undefined) return known;
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
    this.queued ??= this.running.then(() => {
      this.queued = undefined;
      return this.readSource();
    });
    this.running = this.queued;
    return this.running;
  }

  private async readSource(): Promise<void> {
    if (this.source === undefined) return;
    try {
      const text = await readFile(this.source.file, 'utf8');
      if (text === this.source.text) return;
      this.keys = new KeySet(readKeyDocument(text));
      this.source.text = text;
      this.logger.info({ current: this.keys.current.id }, 'read other token keys');
    } catch (error) {
      this.failures.log(error);
    }
  }
}
