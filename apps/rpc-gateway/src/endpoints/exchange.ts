import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type RpcError } from '@waggle/contracts';
import {
  type Client,
  piecesOf,
  piecesOfTexts,
  type ResponseAllowance,
  type ResponseLimits,
  writePieces,
} from '@waggle/service';
import { compress, shouldCompress } from './compression';
import { encodeResponse } from './encode';
import { type HeaderList } from './header-list';
import { errorMember } from '../rpc/rpc-response';

/** Responses up to this length, in UTF-16 units, are written in one piece. */
const maxSinglePiece = 64 * 1024;

/** Writes the body of an error response. */
export type EncodeError = (status: number, error: RpcError, requestId: string) => readonly string[];

const encodeRpcError: EncodeError = (_status, error) => encodeResponse(errorMember(error), 'null');

/** An HTTP request and its response. */
export class Exchange {
  /** The memory that the request and its response take from what all responses share. */
  readonly allowance: ResponseAllowance;

  /**
   * @param client its calls and bytes are counted
   * @param headers of every response
   * @param encodeError writes the body for an error of the request as a whole
   */
  constructor(
    readonly client: Client,
    private readonly headers: HeaderList,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly limits: ResponseLimits,
    private readonly encodeError: EncodeError = encodeRpcError,
  ) {
    this.allowance = limits.allowanceFor({ client });
  }

  /** Whether the client disconnected. */
  get isClosed(): boolean {
    return this.request.socket.destroyed;
  }

  /**
   * @param texts the body in parts, which are encoded one by one as the client reads them
   * @param unsentBytes of results that are not sent, but charged
   */
  send(status: number, texts: readonly string[], headers: HeaderList = [], unsentBytes = 0): void {
    let length = 0;
    for (const text of texts) length += text.length;
    const parts = length <= maxSinglePiece ? [texts.join('')] : texts;
    let bytes = 0;
    for (const part of parts) bytes += Buffer.byteLength(part);
    this.limits.charge({ client: this.client }, bytes + unsentBytes);
    if (shouldCompress(bytes, this.request.headers['accept-encoding']))
      this.sendCompressed(status, parts, headers, bytes);
    else this.sendPlain(status, parts, headers, bytes);
  }

  /** Keeps the allowance of the uncompressed text, which stays in memory until it is compressed. */
  private sendCompressed(status: number, texts: readonly string[], headers: HeaderList, bytes: number): void {
    const text = texts.join('');
    compress(text, (body) => {
      if (body === undefined) {
        this.sendPlain(status, texts, headers, bytes);
        return;
      }
      const encoded = [...headers, 'content-encoding', 'gzip', 'vary', 'Accept-Encoding'];
      this.response.writeHead(status, [...this.headers, ...encoded, 'content-length', String(body.length)]);
      writePieces(this.response, piecesOf(body));
      this.releaseWhenSent();
    });
  }

  private sendPlain(status: number, texts: readonly string[], headers: HeaderList, bytes: number): void {
    this.response.writeHead(status, [...this.headers, ...headers, 'content-length', String(bytes)]);
    const [only] = texts;
    if (texts.length === 1 && only !== undefined && only.length <= maxSinglePiece) this.response.end(only);
    else writePieces(this.response, piecesOfTexts(texts));
    this.releaseWhenSent();
  }

  /** Sends one error for the request as a whole. */
  sendError(status: number, error: RpcError, headers: HeaderList = []): void {
    const requestId = this.headers[this.headers.indexOf('x-request-id') + 1] ?? '';
    this.send(status, this.encodeError(status, error, requestId), headers);
  }

  /** Responds to a request that contains only notifications. */
  sendNoContent(): void {
    this.response.writeHead(204, [...this.headers]).end();
    this.releaseWhenSent();
  }

  private releaseWhenSent(): void {
    this.limits.releaseWhenSent(this.request.socket, this.response, this.allowance);
  }
}
