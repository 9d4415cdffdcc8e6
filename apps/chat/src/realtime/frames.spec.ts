import { decodeFrame, ServerFrame } from './frames';

const decode = (frame: unknown) => decodeFrame(Buffer.from(JSON.stringify(frame)), false);

describe('decodeFrame', () => {
  it('takes type, payload and ref and drops the rest', () => {
    const frame = { type: 'chat-message', payload: { a: 1 }, ref: 7, more: true };
    expect(decode(frame)).toEqual({ type: 'chat-message', payload: { a: 1 }, ref: 7 });
  });

  it.each([[{ type: 'x' }], [{ type: 'x', payload: null, ref: null }]])('treats null as absent: %j', (frame) => {
    expect(decode(frame)).toEqual({ type: 'x', payload: {}, ref: undefined });
  });

  it('keeps the valid fields of an invalid frame, so that the error can name them', () => {
    expect(decode({ type: 'x', payload: 'y', ref: 9 })).toEqual({ type: 'x', payload: 'y', ref: 9 });
    expect(decode({ type: 5, ref: 9 })).toEqual({ type: undefined, payload: {}, ref: 9 });
  });

  it.each([[null], [1], ['x'], [[]]])('rejects %j', (frame) => {
    expect(() => decode(frame)).toThrow('a frame is an object');
  });

  it('lets no key reach the prototype', () => {
    const { payload } = decodeFrame(Buffer.from('{"type":"x","payload":{"__proto__":{"polluted":1}}}'), false);
    expect(Object.getPrototypeOf(payload)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('ServerFrame', () => {
  /** What a WebSocket frame of ours carries. */
  const read = (bytes: Buffer): unknown => {
    const short = (bytes[1] ?? 0) & 0x7f;
    const start = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    expect(bytes[0]).toBe(0x81);
    expect(bytes.length).toBe(start + length);
    return JSON.parse(bytes.toString('utf8', start));
  };
  const payload = { authenticated: true };
  const position = { stream: '01J', seq: 7, cursor: 't1' };

  it('writes the ref, if there is one, beside the type', () => {
    expect(read(new ServerFrame('status', payload).bytes(false))).toEqual({ type: 'status', payload });
    expect(read(new ServerFrame('status', payload).bytes(false, 'r'))).toEqual({ type: 'status', ref: 'r', payload });
    expect(read(new ServerFrame('status', payload).bytes(false, 0))).toEqual({ type: 'status', ref: 0, payload });
  });

  it('has its position only for connections that have requested it', () => {
    const frame = new ServerFrame('status', payload, position);
    expect(read(frame.bytes(false))).toEqual({ type: 'status', payload });
    expect(read(frame.bytes(true))).toEqual({ type: 'status', payload, ...position });
    expect(read(frame.bytes(true, 'r'))).toEqual({ type: 'status', payload, ref: 'r', ...position });
    expect(read(new ServerFrame('status', payload).bytes(true))).toEqual({ type: 'status', payload });
  });

  it.each([1, 125, 126, 200, 65_535, 65_536, 70_000])(
    'is whole with a text of %i characters, also of several bytes',
    (n) => {
      for (const letter of ['a', 'ü', '蜂']) {
        const long = { conversation_id: 'c', name: letter.repeat(n) };
        expect(read(new ServerFrame('conversation-renamed', long).bytes(false))).toMatchObject({ payload: long });
      }
    },
  );

  it('is encoded once for many connections', () => {
    const frame = new ServerFrame('status', payload, position);
    expect(frame.bytes(false)).toBe(frame.bytes(false));
    expect(frame.bytes(true)).toBe(frame.bytes(true));
  });
});
