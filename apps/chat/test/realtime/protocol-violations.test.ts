import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ChatUnderTest } from '../support/chat-under-test';

/** A WebSocket frame as it lies on the wire (RFC 6455, section 5.2), with at most 125 bytes of payload. */
function frame(firstByte: number, payload: Buffer | string, { masked = true } = {}): Buffer {
  const data = Buffer.from(payload);
  if (!masked) return Buffer.concat([Buffer.of(firstByte, data.length), data]);
  const mask = randomBytes(4);
  const hidden = data.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return Buffer.concat([Buffer.of(firstByte, 0x80 | data.length), mask, hidden]);
}

const final = 0x80;
const [continuation, text, unknownControl, ping] = [0x0, 0x1, 0xb, 0x9];

describe('frames that break the WebSocket protocol', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());

  /** A connection after the upgrade, for arbitrary bytes. */
  const upgraded = async (): Promise<Socket> => {
    const { port, hostname } = new URL(chat.instance.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      [
        'GET /ws HTTP/1.1',
        'Host: chat',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        '\r\n',
      ].join('\r\n'),
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\n$/);
    return socket;
  };

  it.each<[string, number, Buffer]>([
    ['without a mask', 1002, frame(final | text, '{"type":"authenticate","payload":{}}', { masked: false })],
    ['of an unknown kind', 1002, frame(final | unknownControl, '')],
    ['with a reserved bit', 1002, frame(final | 0x40 | text, '{}')],
    ['that continues nothing', 1002, frame(final | continuation, '{}')],
    ['that begins another before the end', 1002, Buffer.concat([frame(text, '{'), frame(final | text, '}')])],
    ['that is a ping in pieces', 1002, frame(ping, '')],
    ['that is no UTF-8', 1007, frame(final | text, Buffer.of(0x7b, 0xff, 0xfe, 0x7d))],
    ['that is half a character', 1007, frame(final | text, Buffer.from('é').subarray(0, 1))],
    ['of 65 fragments', 1008, Buffer.concat([frame(text, ''), ...Array<Buffer>(64).fill(frame(continuation, ''))])],
    ['of an announced terabyte', 1009, Buffer.of(final | text, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)],
  ])('one %s: closed with %i, without effect on others', async (_what, code, bytes) => {
    const alice = await chat.instance.join('alice');
    const socket = await upgraded();
    socket.write(bytes);
    const closing = await buffer(socket);
    // A close frame from the server: not masked, and the code in its first two bytes.
    expect([closing[0], closing.readUInt16BE(2)]).toEqual([final | 0x8, code]);
    expect(await alice.socket.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
    expect((await chat.instance.get('/health/live')).status).toBe(200);
  });

  it('one that arrives byte by byte: closed with 1008 after 1,024 reads', async () => {
    const socket = await upgraded();
    socket.setNoDelay(true);
    const closing = buffer(socket);
    // The header of a text of 60,000 bytes.
    socket.write(Buffer.of(final | text, 0xfe, 60_000 >> 8, 60_000 & 0xff, 0, 0, 0, 0));
    let sent = 0;
    for (; socket.readable && sent < 60_000; sent += 1) {
      socket.write('x');
      await new Promise(setImmediate);
    }
    expect((await closing).readUInt16BE(2)).toBe(1008);
    expect(sent).toBeGreaterThan(1_000);
  });

  it('random bytes: the connection ends, the instance continues', async () => {
    const socket = await upgraded();
    const ended = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.write(randomBytes(4_096));
    socket.resume();
    await ended;
    expect((await chat.instance.get('/health/live')).status).toBe(200);
  });
});
