import { RejectedError, UnexpectedResponseError, UnreachableError } from '../errors';
import type { Conversation } from '../protocol/contract';
import { ChatApi } from './chat-api';

const conversation = (id: string): Conversation => ({
  id,
  type: 'group',
  creator: 'alice',
  members: ['alice'],
  moderators: [],
  blocked: false,
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
});

const unexpected = () => Promise.reject(new Error('a request for no page'));

/** An API whose service responds with these pages, and the paths that it requested. */
function apiWith(pages: Record<string, { body: unknown; next?: string }>) {
  const requested: string[] = [];
  const requestPage = (path: string) => {
    requested.push(path);
    return Promise.resolve({ body: undefined, next: undefined, ...pages[path] });
  };
  return {
    api: new ChatApi({ account: 'alice', requestPage, request: unexpected, requestLines: unexpected }),
    requested,
  };
}

describe('conversations', () => {
  it('joins the pages, even if a conversation moves to the start meanwhile', async () => {
    const first = '/messages/conversations';
    const pages = [
      { path: first, ids: ['a', 'b'], next: '/messages/conversations?cursor=b' },
      { path: '/messages/conversations?cursor=b', ids: ['d'] },
      { path: first, ids: ['c', 'a'], next: '/messages/conversations?cursor=a' },
      { path: '/messages/conversations?cursor=a', ids: ['b'], next: '/messages/conversations?cursor=b' },
      { path: first, ids: ['c', 'a'], next: '/messages/conversations?cursor=a' },
    ];
    const requestPage = (requested: string) => {
      const { path, ids, next } = pages.shift() ?? { path: 'none', ids: [], next: undefined };
      expect(requested).toBe(path);
      return Promise.resolve({ body: ids.map(conversation), next });
    };
    const api = new ChatApi({ account: 'alice', requestPage, request: unexpected, requestLines: unexpected });
    expect((await api.conversations()).map(({ id }) => id)).toEqual(['a', 'b', 'd', 'c']);
    expect(pages).toEqual([]);
  });

  it('reads one page if there is one', async () => {
    const { api, requested } = apiWith({ '/messages/conversations': { body: [conversation('a')] } });
    expect(await api.conversations()).toEqual([conversation('a')]);
    expect(requested).toHaveLength(1);
  });
});

describe('conversationsById', () => {
  it('joins the pages of a response that does not fit into one', async () => {
    const { api, requested } = apiWith({
      '/messages/conversation?ids=a%2Cb%2Cc': { body: [conversation('a')], next: '/messages/conversation?ids=b,c' },
      '/messages/conversation?ids=b,c': { body: [conversation('b')], next: '/messages/conversation?ids=c' },
      '/messages/conversation?ids=c': { body: [conversation('c')] },
    });
    expect(await api.conversationsById(['a', 'b', 'c'])).toEqual(['a', 'b', 'c'].map(conversation));
    expect(requested).toHaveLength(3);
  });

  it('rejects a page that is not a list of conversations', async () => {
    const { api } = apiWith({
      '/messages/conversation?ids=a%2Cb': { body: [conversation('a')], next: '/messages/conversation?ids=b' },
      '/messages/conversation?ids=b': { body: [{ id: 'b' }] },
    });
    await expect(api.conversationsById(['a', 'b'])).rejects.toThrow(
      'The response of /messages/conversation is not understood',
    );
  });

  it('sends no request if there are no ids', async () => {
    const { api, requested } = apiWith({});
    expect(await api.conversationsById([])).toEqual([]);
    expect(requested).toEqual([]);
  });
});

it('names no account in the error for a response that is not understood', async () => {
  const request = () => Promise.resolve({});
  const api = new ChatApi({ account: 'alice', requestPage: unexpected, request, requestLines: unexpected });
  await expect(api.accountExists('bob')).rejects.toThrow('The response of /users/account is not understood');
});

describe('exportData', () => {
  const api = (...lines: string[]) => {
    async function* read() {
      yield* await Promise.resolve(lines);
    }
    return new ChatApi({
      account: 'alice',
      requestPage: unexpected,
      request: unexpected,
      requestLines: () => Promise.resolve(read()),
    });
  };
  const collect = async (lines: AsyncIterable<{ cursor: string }>) => {
    const cursors: string[] = [];
    let error: unknown;
    try {
      for await (const { cursor } of lines) cursors.push(cursor);
    } catch (thrown) {
      error = thrown;
    }
    return { cursors, error };
  };
  const account = '{"type":"account","cursor":"1"}';

  it('returns the lines up to the last one', async () => {
    expect(await collect(api(account, '{"type":"newer","cursor":"2"}', '{"type":"end"}').exportData())).toEqual({
      cursors: ['1', '2'],
      error: undefined,
    });
  });

  it.each([
    ['breaks off', [], UnreachableError],
    ['has an error', ['{"type":"error","code":"unavailable","message":"later"}'], RejectedError],
    ['has something else', ['{"type":"account"}'], UnexpectedResponseError],
    ['is no JSON', ['<html>'], UnexpectedResponseError],
  ])('throws if it %s', async (_, lines, type) => {
    const { cursors, error } = await collect(api(account, ...lines).exportData());
    expect(cursors).toEqual(['1']);
    expect(error).toBeInstanceOf(type);
  });
});
