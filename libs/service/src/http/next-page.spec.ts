import fastify from 'fastify';
import { setNextLink } from './next-page';

describe('the link to the next page', () => {
  const server = fastify();
  server.get<{ Querystring: { next?: string } }>('/list', (request, reply) => {
    setNextLink(request, reply, request.query.next);
    return [];
  });
  afterAll(() => server.close());

  it.each([
    ['/list?next=new', '</list?next=new&cursor=new>; rel="next"'],
    ['/list?cursor=old&next=new&extended=true', '</list?cursor=new&next=new&extended=true>; rel="next"'],
    ['/list?next=new&a=1&cursor=old&cursor=x&a=2?%3E', '</list?next=new&a=1&cursor=new&a=2%3F%3E>; rel="next"'],
    ['/list?next=new&ids=a,b%2Cc', '</list?next=new&ids=a,b,c&cursor=new>; rel="next"'],
  ])('preserves path and parameters of %s', async (url, link) => {
    expect((await server.inject(url)).headers.link).toBe(link);
  });

  it('is missing on the last page', async () => {
    expect((await server.inject('/list')).headers.link).toBeUndefined();
  });
});
