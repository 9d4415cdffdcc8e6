import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const ok = Buffer.from('HTTP/1.1 200');

/**
 * A connection with one request in flight: the next one is sent when a response is complete. It parses only what
 * determines the end of a response, because Node's own client takes longer than the servers that are measured.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private readonly parts: Buffer[] = [];
  private receivedLength = 0;
  /** The length of the current response; undefined while its head is incomplete. */
  private length: number | undefined;

  /**
   * @param nextRequest returns the next request
   * @param onResponse called for each response, with an error if it failed
   * @param success a text that a successful response contains, besides the status 200
   */
  constructor(
    url: URL,
    private readonly nextRequest: () => string,
    private readonly onResponse: (failure?: string) => void,
    private readonly success = '',
  ) {
    this.socket = connect(Number(url.port), url.hostname);
    this.socket.setNoDelay();
    this.socket.on('connect', () => {
      this.request();
    });
    this.socket.on('data', (data: Buffer) => {
      this.receive(data);
    });
    this.socket.on('error', (error) => {
      onResponse(error.message);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private request(): void {
    this.socket.write(this.nextRequest());
  }

  private receive(data: Buffer): void {
    this.parts.push(data);
    this.receivedLength += data.length;
    if (this.length === undefined) this.length = this.lengthOf(this.joined());
    if (this.length === undefined || this.receivedLength < this.length) return;
    const response = this.joined();
    const isOk = response.subarray(0, ok.length).equals(ok) && response.includes(this.success);
    this.onResponse(isOk ? undefined : response.subarray(0, 200).toString());
    this.parts.length = 0;
    this.receivedLength = 0;
    this.length = undefined;
    this.request();
  }

  private joined(): Buffer {
    if (this.parts.length > 1) this.parts.splice(0, this.parts.length, Buffer.concat(this.parts));
    return this.parts[0] ?? Buffer.alloc(0);
  }

  /** The length of head and body; undefined while the head is incomplete. */
  private lengthOf(response: Buffer): number | undefined {
    const end = response.indexOf(headEnd);
    if (end < 0) return undefined;
    const length = /\r\ncontent-length: (\d+)/i.exec(response.subarray(0, end + 2).toString('latin1'))?.[1];
    return end + headEnd.length + Number(length ?? 0);
  }
}
