import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const ok = Buffer.from('HTTP/1.1 200');

/**
 * One connection with one request under way: as soon as an answer is whole the next request is sent. It reads of an answer
 * what tells its end, and nothing else: Node's own client takes longer than the servers that are measured.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private readonly parts: Buffer[] = [];
  private have = 0;
  /** Of the answer that is coming; undefined while its head is not whole. */
  private wanted: number | undefined;

  /**
   * @param nextRequest the text of the next request
   * @param onAnswer told of each answer, and of what was wrong
   * @param success what an answer has in it besides the status 200
   */
  constructor(
    url: URL,
    private readonly nextRequest: () => string,
    private readonly onAnswer: (failure?: string) => void,
    private readonly success = '',
  ) {
    this.socket = connect(Number(url.port), url.hostname);
    this.socket.setNoDelay();
    this.socket.on('connect', () => {
      this.ask();
    });
    this.socket.on('data', (data: Buffer) => {
      this.take(data);
    });
    this.socket.on('error', (error) => {
      onAnswer(error.message);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private ask() {
    this.socket.write(this.nextRequest());
  }

  private take(data: Buffer) {
    this.parts.push(data);
    this.have += data.length;
    if (this.wanted === undefined) this.wanted = this.lengthOf(this.whole());
    if (this.wanted === undefined || this.have < this.wanted) return;
    const answer = this.whole();
    const isFine = answer.subarray(0, ok.length).equals(ok) && answer.includes(this.success);
    this.onAnswer(isFine ? undefined : answer.subarray(0, 200).toString());
    this.parts.length = 0;
    this.have = 0;
    this.wanted = undefined;
    this.ask();
  }

  private whole(): Buffer {
    if (this.parts.length > 1) this.parts.splice(0, this.parts.length, Buffer.concat(this.parts));
    return this.parts[0] ?? Buffer.alloc(0);
  }

  /** Of head and body; undefined while the head is not whole. */
  private lengthOf(answer: Buffer): number | undefined {
    const end = answer.indexOf(headEnd);
    if (end < 0) return undefined;
    const length = /\r\ncontent-length: (\d+)/i.exec(answer.subarray(0, end + 2).toString('latin1'))?.[1];
    return end + headEnd.length + Number(length ?? 0);
  }
}
