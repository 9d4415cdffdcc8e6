import fastify from 'fastify';
import { z } from 'zod';
import { ChatError } from '../errors';
import { decodeCursor, encodeCursor, setNextPage } from './next-page';

const shape = z.tuple([z.string(), z.int()]);

describe('a cursor', () => {
  it('has the parts that it was made of, and fits into a URL', () => {
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
  ])('is refused if it is %j: %s', (cursor) => {
    expect(() => decodeCursor(cursor, shape)).toThrow(
      new ChatError('invalid-request', 'cursor: not a cursor of this list'),
    );
  });
});

describe('the link to the next page', () => {
  const server = fastify();
  server.get<{ Querystring: { next?: string } }>('/list', (request, reply) => {
    setNextPage(request, reply, request.query.next);
    return [];
  });
  afterAll(() => server.close());

  it.each([
    ['/list?next=new', '</list?next=new&cursor=new>; rel="next"'],
    ['/list?cursor=old&next=new&extended=true', '</list?cursor=new&next=new&extended=true>; rel="next"'],
    ['/list?next=new&a=1&cursor=old&cursor=x&a=2?%3E', '</list?next=new&a=1&cursor=new&a=2%3F%3E>; rel="next"'],
  ])('keeps path and parameters of %s', async (url, link) => {
    expect((await server.inject(url)).headers.link).toBe(link);
  });

  it('is not there on the last page', async () => {
    expect((await server.inject('/list')).headers.link).toBeUndefined();
  });
});
