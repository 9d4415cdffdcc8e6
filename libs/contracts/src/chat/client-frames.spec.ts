import { clientFrames } from './client-frames';
import { defaultChatLimits } from './limits';

const frames = clientFrames();

describe('chat-message', () => {
  const schema = frames['chat-message'];
  const parse = (frame: object) => schema.safeParse({ conversation_id: '01J', message: 'hello', ...frame });

  it('accepts a conversation, or the account of a dm instead', () => {
    expect(parse({}).success).toBe(true);
    expect(parse({ conversation_id: undefined, to: 'bob' }).success).toBe(true);
    expect(parse({ conversation_id: null, to: 'bob' }).success).toBe(true);
    expect(parse({ conversation_id: undefined }).success).toBe(false);
  });

  it.each([[null], ['bob'], [['bob', 'carol']], [{}], [0]])('accepts any `to` with a conversation: %j', (to) => {
    expect(parse({ to }).success).toBe(true);
  });

  it.each([[''], [' \n\t'], ['a\0b'], [1], [null], [undefined], ['x'.repeat(defaultChatLimits.messageCharacters + 1)]])(
    'refuses the text %j',
    (message) => {
      expect(parse({ message }).success).toBe(false);
    },
  );

  it('counts characters, not UTF-16 units', () => {
    expect(parse({ message: '🐝'.repeat(defaultChatLimits.messageCharacters) }).success).toBe(true);
    expect(parse({ message: '🐝'.repeat(defaultChatLimits.messageCharacters + 1) }).success).toBe(false);
  });

  it('replaces unpaired surrogates, so that the stored and delivered texts are the same', () => {
    expect(schema.parse({ conversation_id: '01J', message: 'a\ud83d' }).message).toBe('a\ufffd');
  });

  it.each([['a b'], ['x'.repeat(65)], ["'"], ['a\0'], [1]])('rejects the identifier %j', (conversation_id) => {
    expect(parse({ conversation_id }).success).toBe(false);
  });
});

describe('create-conversation', () => {
  it('accepts one account or a list', () => {
    const parse = (to: unknown) => frames['create-conversation'].safeParse({ to, message: 'hello' }).success;
    expect(parse('bob')).toBe(true);
    expect(parse(['bob', 'carol'])).toBe(true);
    expect(parse([])).toBe(false);
    expect(parse(['bob', null])).toBe(false);
  });
});

describe('authenticate', () => {
  it('accepts an empty payload, and null instead of a token', () => {
    expect(frames.authenticate.parse({})).toEqual({});
    expect(frames.authenticate.parse({ token: null, username: null })).toEqual({});
  });
});
