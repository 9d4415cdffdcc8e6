import type { Attachment } from '@waggle/client/browser';
import { isRecord } from '../client/browser-storage';
import type { ServerConfig } from '../client/server-config';
import type { WalletRequest } from '../sign-in/aioha';
import { imageSigner } from './image-signer';
import { prepareImage } from './prepare-image';
import { UploadError } from './upload-error';

export interface UploadOptions {
  account: string;
  config: ServerConfig;
  /** The purpose of the signature, which a wallet shows. */
  title: string;
  /** Shows the code that a wallet on a phone scans. */
  onRequest: (request: WalletRequest) => void;
  /** Signs one image at a time, since a wallet asks the user for each. */
  inTurn: <T>(sign: () => Promise<T>) => Promise<T>;
  signal: AbortSignal;
  /** Called with the fraction that is sent, from 0 to 1. */
  onProgress: (fraction: number) => void;
  onPreview: (url: string) => void;
}

const challenge = new TextEncoder().encode('ImageSigningChallenge');

/**
 * Uploads an image without its metadata. The request is the one of openhive-network/imagehoster (src/upload.ts):
 * `POST /<account>/<signature>` signs the challenge and the image, `POST /cs/<account>/<signature>` the challenge and
 * its sha256. The file is the only part of a multipart body, and the response is `{url}`.
 *
 * @throws UploadError, what the signer throws, and the reason of an abort
 */
export async function uploadImage(file: File, options: UploadOptions): Promise<Attachment> {
  const { account, config, title, onRequest, inTurn, signal, onProgress, onPreview } = options;
  const { imageHost = '', attachmentHosts: hosts } = config;
  const signer = imageSigner(account, config, title, onRequest);
  const { blob, fileName, name, width, height, preview } = await prepareImage(file);
  signal.throwIfAborted();
  onPreview(preview);
  const image = new Uint8Array(await blob.arrayBuffer());
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', image));
  const signature = await inTurn(() => signer.sign(concat(challenge, signer.signs === 'hash' ? hash : image)));
  signal.throwIfAborted();
  const body = new FormData();
  body.append('file', blob, fileName);
  const folder = signer.signs === 'hash' ? 'cs/' : '';
  const url = await post(`https://${imageHost}/${folder}${account}/${signature}`, body, signal, onProgress);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isAllowed = parsed?.protocol === 'https:' && hosts.includes(parsed.host);
  // The service accepts no URL with a name or password.
  if (!isAllowed || `${parsed.username}${parsed.password}` !== '') throw new UploadError('upload-failed');
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { url: parsed.href, name, bytes: blob.size, width, height, sha256, media_type: blob.type };
}

/** Sends a form, with the progress that `fetch` does not report. @returns the URL in the response */
function post(
  url: string,
  body: FormData,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => {
      request.abort();
    };
    signal.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = ({ loaded, total }) => {
      onProgress(total === 0 ? 0 : loaded / total);
    };
    request.onloadend = () => {
      signal.removeEventListener('abort', abort);
      const response: unknown = request.response;
      if (signal.aborted) reject(signal.reason as Error);
      else if (request.status === 200 && isRecord(response) && typeof response['url'] === 'string')
        resolve(response['url']);
      else reject(new UploadError(codeOf(request.status)));
    };
    request.open('POST', url);
    request.responseType = 'json';
    request.send(body);
  });
}

/** The statuses of the image hoster are in its src/error.ts. */
function codeOf(status: number): UploadError['code'] {
  if (status === 413) return 'image-too-large';
  if (status === 429) return 'upload-limit';
  return status >= 400 && status < 500 ? 'upload-rejected' : 'upload-failed';
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
