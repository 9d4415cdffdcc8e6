import { z } from 'zod';
import { ChatError } from '../errors';
import { decodeCursor, encodeCursor } from './page';

const shape = z.tuple([z.string(), z.int()]);

describe('a page cursor', () => {
  it('decodes to the parts that it encodes, and fits into a URL', () => {
    const cursor = encodeCursor(['ü~?&"\\', 5]);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(cursor, shape)).toEqual(['ü~?&"\\', 5]);
  });

  it.each([
    ['', 'nothing'],
    ['!', 'no base64url'],
    [Buffer.from('["a"').toString('base64url'), 'no JSON'],
    [encodeCursor(['a']), 'too few parts'],
    [encodeCursor(['a', 5, 5]), 'too many parts'],
    [encodeCursor([5, 'a']), 'other parts'],
    [Buffer.from('{"0": "a", "1": 5}').toString('base64url'), 'no list'],
  ])('is rejected if it is %j: %s', (cursor) => {
    expect(() => decodeCursor(cursor, shape)).toThrow(
      new ChatError('invalid-request', 'cursor: not a cursor of this list'),
    );
  });
});
