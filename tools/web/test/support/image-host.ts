import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { devnetKeys } from '@waggle/devnet';
import { formatPublicKey, recoverPublicKey } from '@waggle/signatures';

/** The name of the host in pages. The browser resolves it to the server. */
export const imageHostName = 'images.test';

interface StoredFile {
  bytes: Buffer;
  type: string;
}

/**
 * An image host that responds as openhive-network/imagehoster does (src/routes.ts, src/upload.ts, src/error.ts,
 * src/app.ts): the routes, the signatures, the statuses, the shape of responses, and CORS as `@koa/cors` allows it. It
 * has the accounts of the devnet.
 */
export class ImageHost {
  /** The uploads, the first one first. */
  readonly uploads: { account: string; signs: 'image' | 'hash'; bytes: Buffer; fileName: string }[] = [];
  /** The requests for files, with their referrers. */
  readonly reads: { url: string; referrer: string | undefined }[] = [];
  /** Responds with this status to the next upload. */
  nextStatus: number | undefined;
  /** Uploads wait for it before they are read. */
  gate: Promise<void> = Promise.resolve();
  /** How many uploads wait for the gate. */
  waiting = 0;
  private readonly files = new Map<string, StoredFile>();
  private readonly server: Server;

  constructor() {
    const folder = mkdtempSync(path.join(tmpdir(), 'image-host-'));
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const subject = ['-subj', `/CN=${imageHostName}`, '-keyout', key, '-out', cert];
    const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...options, ...subject], { stdio: 'ignore' });
    const credentials = { key: readFileSync(key), cert: readFileSync(cert) };
    rmSync(folder, { recursive: true });
    this.server = createServer(credentials, (request, response) => {
      this.respond(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  /** @returns the flags of a browser that reaches the host by its name */
  async start(): Promise<string[]> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return [`--host-resolver-rules=MAP ${imageHostName} 127.0.0.1:${address.port}`, '--ignore-certificate-errors'];
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request;
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (headers.origin !== undefined) response.setHeader('Access-Control-Allow-Origin', headers.origin);
    if (method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'GET,POST,OPTIONS');
      response.setHeader('Access-Control-Allow-Headers', 'Content-Type,Authorization');
      response.writeHead(204).end();
      return;
    }
    if (method === 'GET') {
      this.reads.push({ url, referrer: headers.referer });
      const file = this.files.get(url.split('/')[1] ?? '');
      if (file === undefined) fail(response, 404, 'not_found');
      else response.writeHead(200, { 'Content-Type': file.type }).end(file.bytes);
      return;
    }
    const [, isHash, account = '', signature = ''] = /^\/(cs\/)?([^/]+)\/([^/]+)$/.exec(url) ?? [];
    this.waiting += 1;
    // An upload that its page cancels meanwhile gets no response, nor the status for the next one.
    const cancelled = new Promise<'cancelled'>((resolve) => {
      response.once('close', () => {
        resolve('cancelled');
      });
    });
    const isCancelled = (await Promise.race([this.gate, cancelled])) === 'cancelled';
    this.waiting -= 1;
    if (isCancelled) return;
    const body = await readAll(request);
    const status = this.nextStatus;
    this.nextStatus = undefined;
    if (status !== undefined) fail(response, status, 'test');
    else this.upload({ account, signature, signs: isHash === undefined ? 'image' : 'hash' }, headers, body, response);
  }

  private upload(
    { account, signature, signs }: { account: string; signature: string; signs: 'image' | 'hash' },
    headers: IncomingMessage['headers'],
    body: Buffer,
    response: ServerResponse,
  ): void {
    const type = headers['content-type'] ?? '';
    if (!type.includes('multipart/form-data')) {
      fail(response, 400, 'bad_request');
      return;
    }
    if (headers['content-length'] === undefined) {
      fail(response, 411, 'length_required');
      return;
    }
    const part = firstFile(body, /boundary=(.+)$/.exec(type)?.[1] ?? '');
    if (part === undefined) {
      fail(response, 400, 'file_missing');
      return;
    }
    const imageHash = sha256('ImageSigningChallenge', part.bytes);
    const signed = signs === 'image' ? imageHash : sha256('ImageSigningChallenge', sha256(part.bytes));
    const recovered = recoverPublicKey(signed, signature);
    if (!recovered.ok || formatPublicKey(recovered.publicKey) !== devnetKeys(account).posting.publicKey) {
      fail(response, 400, 'invalid_signature');
      return;
    }
    this.uploads.push({ account, signs, bytes: part.bytes, fileName: part.name });
    const key = `DQm${imageHash.toString('hex')}`;
    this.files.set(key, part);
    const stored = new URL(`${key}/${part.name}`, `https://${imageHostName}`);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ url: stored }));
  }
}

function fail(response: ServerResponse, status: number, name: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: { name } }));
}

function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The first file of a multipart body. */
function firstFile(body: Buffer, boundary: string): (StoredFile & { name: string }) | undefined {
  const head = body.indexOf('\r\n\r\n');
  const end = body.indexOf(`\r\n--${boundary}`, head);
  const fields = body.subarray(0, Math.max(head, 0)).toString();
  const name = /filename="([^"]*)"/.exec(fields)?.[1];
  if (head < 0 || end < 0 || name === undefined) return undefined;
  const type = /content-type: *(\S+)/i.exec(fields)?.[1] ?? 'application/octet-stream';
  return { name, type, bytes: body.subarray(head + 4, end) };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
