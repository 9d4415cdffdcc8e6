import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type RpcError } from '@waggle/contracts';
import { piecesOf, piecesOfTexts, type ResponseAllowance, type ResponseLimits, writePieces } from '@waggle/service';
import { memberOfError } from './answer';
import { type HeaderList } from './common-headers';
import { compress, isCompressed } from './compression';
import { encodeAnswer } from './encode';

/** Shorter responses, in UTF-16 units, are written at once. */
const writtenAtOnce = 64 * 1024;

/** A request, and the way to answer it. */
export class Exchange {
  /** What the request and its response take of the memory that all responses share. */
  readonly allowance: ResponseAllowance;

  /**
   * @param client under which its calls and its bytes are counted
   * @param headers of whatever it is answered
   */
  constructor(
    readonly client: string,
    private readonly headers: HeaderList,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly limits: ResponseLimits,
  ) {
    this.allowance = limits.allowanceFor({ address: client });
  }

  /** @param texts the body in parts, which are encoded one after the other as the client takes them */
  send(status: number, texts: readonly string[], headers: HeaderList = []): void {
    let length = 0;
    for (const text of texts) length += text.length;
    const parts = length <= writtenAtOnce ? [texts.join('')] : texts;
    let bytes = 0;
    for (const part of parts) bytes += Buffer.byteLength(part);
    this.limits.charge({ address: this.client }, bytes);
    if (isCompressed(bytes, this.request.headers['accept-encoding']))
      this.sendCompressed(status, parts, headers, bytes);
    else this.sendPlain(status, parts, headers, bytes);
  }

  /** The allowance is that of the text: it is in memory until it is compressed. */
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
      this.settle();
    });
  }

  private sendPlain(status: number, texts: readonly string[], headers: HeaderList, bytes: number): void {
    this.response.writeHead(status, [...this.headers, ...headers, 'content-length', String(bytes)]);
    const [only] = texts;
    if (texts.length === 1 && only !== undefined && only.length <= writtenAtOnce) this.response.end(only);
    else writePieces(this.response, piecesOfTexts(texts));
    this.settle();
  }

  /** An error that is about the request as a whole. */
  refuse(status: number, error: RpcError, headers: HeaderList = []): void {
    this.send(status, encodeAnswer(memberOfError(error), 'null'), headers);
  }

  /** Nothing was asked that is answered. */
  sendNothing(): void {
    this.response.writeHead(204, [...this.headers]).end();
    this.settle();
  }

  private settle(): void {
    this.limits.releaseWhenSent(this.request.socket, this.response, this.allowance);
  }
}
