import { decodeFrame } from './frame-request';

const decode = (frame: unknown) => decodeFrame(Buffer.from(JSON.stringify(frame)), false);

describe('decodeFrame', () => {
  it('keeps type, payload and ref, and drops other fields', () => {
    const frame = { type: 'chat-message', payload: { a: 1 }, ref: 7, more: true };
    expect(decode(frame)).toEqual({ type: 'chat-message', payload: { a: 1 }, ref: 7, hasInexactRef: false });
  });

  it.each([[{ type: 'x' }], [{ type: 'x', payload: null, ref: null }]])('treats null as absent: %j', (frame) => {
    expect(decode(frame)).toEqual({ type: 'x', payload: {}, ref: undefined, hasInexactRef: false });
  });

  it('keeps the valid fields of an invalid frame, so that the error can name them', () => {
    expect(decode({ type: 'x', payload: 'y', ref: 9 })).toMatchObject({ type: 'x', payload: 'y', ref: 9 });
    expect(decode({ type: 5, ref: 9 })).toMatchObject({ type: undefined, payload: {}, ref: 9 });
  });

  it.each(['x'.repeat(128), 2 ** 53 - 1, 1 - 2 ** 53, 0.1])('keeps the reference %j', (ref) => {
    expect(decode({ type: 'x', ref })).toMatchObject({ ref, hasInexactRef: false });
  });

  it.each([2 ** 53, -(2 ** 53)])('marks the reference %j as inexact', (ref) => {
    expect(decode({ type: 'x', ref })).toMatchObject({ ref: undefined, hasInexactRef: true });
  });

  it.each(['x'.repeat(129), true, {}, []])('ignores the reference %j', (ref) => {
    expect(decode({ type: 'x', ref })).toMatchObject({ ref: undefined, hasInexactRef: false });
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
