import { type Capability } from '@waggle/contracts';
import { ServerFrame } from './server-frame';

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
  const connection = (...capabilities: Capability[]) => ({ has: (each: Capability) => capabilities.includes(each) });
  const [plain, sync, rich] = [connection(), connection('sync'), connection('rich', 'sync')];
  const payload = { authenticated: true };
  const position = { stream: '01J', seq: 7, cursor: 't1' };

  it('writes the ref, if there is one, beside the type', () => {
    expect(read(new ServerFrame('status', payload).bytes(plain))).toEqual({ type: 'status', payload });
    expect(read(new ServerFrame('status', payload).bytes(plain, 'r'))).toEqual({ type: 'status', ref: 'r', payload });
    expect(read(new ServerFrame('status', payload).bytes(plain, 0))).toEqual({ type: 'status', ref: 0, payload });
  });

  it('has its position only for connections that have requested it', () => {
    const frame = new ServerFrame('status', payload, position);
    expect(read(frame.bytes(plain))).toEqual({ type: 'status', payload });
    expect(read(frame.bytes(sync))).toEqual({ type: 'status', payload, ...position });
    expect(read(frame.bytes(sync, 'r'))).toEqual({ type: 'status', payload, ref: 'r', ...position });
    expect(read(new ServerFrame('status', payload).bytes(sync))).toEqual({ type: 'status', payload });
  });

  it('has its rich fields only for connections that have requested them', () => {
    const fields = { revision: 1 };
    const frame = new ServerFrame('status', payload, position, fields);
    expect(read(frame.bytes(sync))).toEqual({ type: 'status', payload, ...position });
    expect(read(frame.bytes(rich))).toEqual({ type: 'status', payload: { ...payload, ...fields }, ...position });
    const withCursor = { type: 'status', payload: { ...payload, ...fields }, ...position, ref: 'r', cursor: 't2' };
    expect(read(frame.bytes(rich, 'r', 't2'))).toEqual(withCursor);
    expect(frame.bytes(rich)).toBe(frame.bytes(rich));
  });

  it.each([1, 125, 126, 200, 65_535, 65_536, 70_000])(
    'is whole with a text of %i characters, also of several bytes',
    (n) => {
      for (const letter of ['a', 'ü', '蜂']) {
        const long = { conversation_id: 'c', name: letter.repeat(n) };
        expect(read(new ServerFrame('conversation-renamed', long).bytes(plain))).toMatchObject({ payload: long });
      }
    },
  );

  it('is encoded once for many connections', () => {
    const frame = new ServerFrame('status', payload, position);
    expect(frame.bytes(plain)).toBe(frame.bytes(plain));
    expect(frame.bytes(sync)).toBe(frame.bytes(sync));
  });
});
