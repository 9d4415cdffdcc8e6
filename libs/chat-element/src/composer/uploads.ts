import type { Attachment } from '@waggle/client/browser';
import type { UploadOptions } from '../attachments/upload';
import { UploadError } from '../attachments/upload-error';
import { SignInError } from '../client/sign-in-method';
import type { WalletRequest } from '../sign-in/aioha';

/** As many as a message may have. */
export const maxImages = 10;

/** An image of a draft. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  /** Aborts the current attempt. */
  readonly controller: AbortController;
  /** A `data:` URL. */
  readonly preview?: string;
  /** The fraction that is sent, from 0 to 1. */
  readonly progress: number;
  /** Once it is uploaded. */
  readonly attachment?: Attachment;
  /** Why it was not uploaded: an error code. */
  readonly failure?: string;
}

/** What the signature of an image needs. */
export type UploadSettings = Pick<UploadOptions, 'account' | 'config' | 'title'>;

/** The images of the drafts of an account. Uploads go on while another conversation is shown. */
export class Uploads {
  /** The code that a wallet on a phone scans. */
  request: WalletRequest | undefined;
  readonly #drafts = new Map<string, readonly Upload[]>();
  #lastId = 0;
  /** Images are signed one at a time, since a wallet asks the user for each. */
  #signing: Promise<unknown> = Promise.resolve();

  /** @param onChange called after each change, to render it */
  constructor(private readonly onChange: () => void) {}

  of(draft: string): readonly Upload[] {
    return this.#drafts.get(draft) ?? [];
  }

  /** Whether every image is uploaded, if there are any. */
  areReady(draft: string): boolean {
    return this.of(draft).every(({ attachment }) => attachment !== undefined);
  }

  /** Uploads files. @returns how many are too many for a message, and not added */
  add(draft: string, files: readonly File[], settings: UploadSettings): number {
    const uploads = this.of(draft);
    const added = files.slice(0, maxImages - uploads.length).map((file) => ({ id: ++this.#lastId, file }));
    for (const upload of added) {
      const started = { ...upload, controller: new AbortController(), progress: 0 };
      this.#set(draft, [...this.of(draft), started]);
      void this.#upload(draft, started, settings);
    }
    return files.length - added.length;
  }

  retry(draft: string, { id, file }: Upload, settings: UploadSettings): void {
    const started = { id, file, controller: new AbortController(), progress: 0 };
    this.#set(
      draft,
      this.of(draft).map((upload) => (upload.id === id ? started : upload)),
    );
    void this.#upload(draft, started, settings);
  }

  remove(draft: string, { id, controller }: Upload): void {
    controller.abort();
    this.#set(
      draft,
      this.of(draft).filter((upload) => upload.id !== id),
    );
  }

  /** Ends the draft. @returns its attachments */
  take(draft: string): Attachment[] {
    const attachments = this.of(draft).flatMap(({ attachment }) => attachment ?? []);
    this.#set(draft, []);
    return attachments;
  }

  /** Aborts everything. */
  clear(): void {
    for (const uploads of this.#drafts.values()) for (const { controller } of uploads) controller.abort();
    this.#drafts.clear();
    this.request = undefined;
  }

  async #upload(draft: string, { file, controller }: Upload, settings: UploadSettings): Promise<void> {
    const { signal } = controller;
    const update = (change: Partial<Upload>): void => {
      const uploads = this.of(draft);
      if (uploads.some((upload) => upload.controller === controller))
        this.#set(
          draft,
          uploads.map((upload) => (upload.controller === controller ? { ...upload, ...change } : upload)),
        );
    };
    try {
      const { uploadImage } = await import('../attachments/upload');
      const attachment = await uploadImage(file, {
        ...settings,
        signal,
        inTurn: (sign) => this.#inTurn(sign, signal),
        onRequest: (request) => {
          if (!signal.aborted) this.#setRequest(request);
        },
        onProgress: (progress) => {
          update({ progress });
        },
        onPreview: (preview) => {
          update({ preview });
        },
      });
      update({ attachment });
    } catch (error) {
      update({ failure: error instanceof UploadError || error instanceof SignInError ? error.code : 'upload-failed' });
    }
  }

  /** Signs after the earlier images. If the image is removed meanwhile, the next one is signed. */
  #inTurn<T>(sign: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const signed = this.#signing.then(() => {
      signal.throwIfAborted();
      return Promise.race([sign(), rejectionBy(signal)]);
    });
    this.#signing = signed
      .catch(() => undefined)
      .then(() => {
        this.#setRequest(undefined);
      });
    return signed;
  }

  #setRequest(request: WalletRequest | undefined): void {
    this.request = request;
    this.onChange();
  }

  #set(draft: string, uploads: readonly Upload[]): void {
    if (uploads.length === 0) this.#drafts.delete(draft);
    else this.#drafts.set(draft, uploads);
    this.onChange();
  }
}

/** Rejects when the signal is aborted. */
function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Returns the files that are pasted or dropped. */
export function filesIn(transfer: DataTransfer | null): File[] {
  return Array.from(transfer?.files ?? []);
}
