import { type ServerResponse } from 'node:http';
import { type RpcError } from '@waggle/contracts';
import { memberOfError } from './answer';
import { type HeaderList } from './common-headers';
import { encodeAnswer } from './encode';

/** A request that was read, and the way to answer it. */
export class Exchange {
  /**
   * @param client under which its calls are counted
   * @param headers of whatever it is answered
   */
  constructor(
    readonly client: string,
    private readonly headers: HeaderList,
    private readonly response: ServerResponse,
  ) {}

  send(text: string, headers: HeaderList = []): void {
    this.write(200, text, headers);
  }

  /** An error that is about the request as a whole. */
  refuse(status: number, error: RpcError, headers: HeaderList = []): void {
    this.write(status, encodeAnswer(memberOfError(error), 'null'), headers);
  }

  /** Nothing was asked that is answered. */
  sendNothing(): void {
    this.response.writeHead(204, [...this.headers]).end();
  }

  private write(status: number, text: string, headers: HeaderList): void {
    const length = String(Buffer.byteLength(text));
    this.response.writeHead(status, [...this.headers, ...headers, 'content-length', length]).end(text);
  }
}
