import { ChatApi } from './chat-api';
import type { Conversation } from './contract';

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
  return { api: new ChatApi({ requestPage, request: unexpected }), requested };
}

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
      'the response of /messages/conversation is not understood',
    );
  });

  it('requests nothing for no ids', async () => {
    const { api, requested } = apiWith({});
    expect(await api.conversationsById([])).toEqual([]);
    expect(requested).toEqual([]);
  });
});
