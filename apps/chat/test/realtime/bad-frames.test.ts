import { type ChatSocket } from '../support/chat-socket';
import { ChatUnderTest } from '../support/chat-under-test';
import { row } from '../support/interface-rows';

describe('a connection that receives invalid frames', () => {
  let chat: ChatUnderTest;
  let socket: ChatSocket;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterAll(() => chat.stop());
  beforeEach(async () => {
    ({ socket } = await chat.instance.join('alice'));
  });
  afterEach(() => chat.instance.close());

  const stillServed = async () => {
    expect(await socket.request('authenticate', {}, 'status')).toEqual({ authenticated: true });
  };

  it.each<[string, string | Uint8Array, string | null]>([
    ['no JSON', 'hello', null],
    ['an empty frame', '', null],
    ['half a frame', '{"type":"chat-message","payload":{', null],
    ['a list', '[]', null],
    ['a number', '1', null],
    ['null', 'null', null],
    ['no type', '{"payload":{}}', null],
    ['a type that is no text', '{"type":{"a":1},"payload":{}}', null],
    ['a payload that is no object', '{"type":"chat-message","payload":"x"}', 'chat-message'],
    ['a binary frame', Buffer.from('{"type":"authenticate","payload":{}}'), null],
    ['deep nesting', `{"type":"chat-message","payload":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}}`, 'chat-message'],
    ['deep nesting of lists', '['.repeat(60_000), null],
    [
      'prototype keys',
      '{"type":"chat-message","payload":{"__proto__":{"conversation_id":"01J","message":"x"}}}',
      'chat-message',
    ],
    [
      'fields of the wrong type',
      '{"type":"chat-message","payload":{"conversation_id":1,"message":["x"]}}',
      'chat-message',
    ],
    ['a blank message', '{"type":"chat-message","payload":{"conversation_id":"01J","message":"  "}}', 'chat-message'],
    [
      'a NUL in the message',
      '{"type":"chat-message","payload":{"conversation_id":"01J","message":"a\\u0000b"}}',
      'chat-message',
    ],
    ['a missing field', '{"type":"acknowledgment","payload":{}}', 'acknowledgment'],
  ])('replies with invalid-frame to %s', async (_what, frame, requestType) => {
    socket.sendRaw(frame);
    expect((await socket.next('error')).payload).toEqual({
      code: 'invalid-frame',
      message: expect.any(String),
      request_type: requestType,
    });
    expect({}).not.toHaveProperty('conversation_id');
    await stillServed();
  });

  it.each(['no-such-type', 'constructor', '__proto__', 'toString', 'status', 'x'.repeat(64)])(
    'replies with unknown-type to %s',
    async (type) => {
      socket.sendRaw(JSON.stringify({ type, payload: {} }));
      expect((await socket.next('error')).payload).toMatchObject({ code: 'unknown-type', request_type: type });
      await stillServed();
    },
  );

  row('event error', 'says which field is wrong, and nothing of what was in it', async () => {
    const error = await socket.requestError('create-conversation', { to: { name: 'secret' }, message: 5 });
    expect(error).toMatchObject({ code: 'invalid-frame', request_type: 'create-conversation' });
    expect(error.message).toContain('to:');
    expect(error.message).toContain('message:');
    expect(error.message).not.toContain('secret');
  });

  it.each([
    'add-member',
    'remove-member',
    'add-moderator',
    'remove-moderator',
    'request-friendship',
    'remove-friendship',
    'block-user',
    'unblock-user',
  ] as const)('%s replies with account-not-found to an invalid account name', async (type) => {
    for (const username of ['Bob', '@bob', '', 'a\u0000b', 'x'.repeat(1_000)]) {
      const { code } = await socket.requestError(type, { username, conversation_id: '01J' });
      expect({ username, code }).toEqual({ username, code: 'account-not-found' });
    }
    expect(await socket.requestError(type, { username: 5, conversation_id: '01J' })).toMatchObject({
      code: 'invalid-frame',
    });
  });

  row(
    ['limit message text', 'limit group members'],
    'replies with too-large to a text or group over the limit, and never closes the connection for it',
    async () => {
      for (let i = 0; i < 30; i += 1) {
        const tooLong = { conversation_id: '01J', message: 'x'.repeat(4_001) };
        expect(await socket.requestError('chat-message', tooLong)).toMatchObject({ code: 'too-large' });
      }
      const names = Array.from({ length: 250 }, (_, i) => `member-${i}`);
      const tooMany = { to: names, message: 'hello' };
      expect(await socket.requestError('create-conversation', tooMany)).toMatchObject({ code: 'too-large' });
      // With its creator that is as many as there may be; they are only not there.
      const asMany = { to: names.slice(1), message: 'hello' };
      expect(await socket.requestError('create-conversation', asMany)).toMatchObject({ code: 'account-not-found' });
    },
  );

  row('limit message text', 'rejects a text with control characters, or without visible characters', async () => {
    for (const message of [
      '',
      ' ',
      '\n\t',
      '\u3164',
      '\u2800 \u200B',
      'a\u0007b',
      'a\u001B[31m',
      '\u0001'.repeat(4_000),
    ]) {
      const frame = { conversation_id: '01J', to: ['bob'], message };
      expect(await socket.requestError('chat-message', frame)).toMatchObject({ code: 'invalid-frame' });
      expect(await socket.requestError('create-conversation', frame)).toMatchObject({ code: 'invalid-frame' });
    }
  });

  it('returns ref even if the payload is invalid, and ignores a null ref', async () => {
    socket.send('acknowledgment', 'x', { ref: 9 });
    expect(await socket.next('error')).toMatchObject({
      ref: 9,
      payload: { code: 'invalid-frame', request_type: 'acknowledgment', ref: 9 },
    });
    socket.send('authenticate', {}, { ref: null });
    expect(await socket.next('status')).toEqual({ type: 'status', payload: { authenticated: true } });
  });

  it('rejects a numeric ref that would come back changed', async () => {
    socket.sendRaw('{"type":"acknowledgment","ref":9007199254740993,"payload":{"conversation_id":"01J"}}');
    const { ref, payload } = await socket.next('error');
    expect(payload).toMatchObject({ code: 'invalid-frame', request_type: 'acknowledgment' });
    expect(payload.message).toContain('2^53 - 1');
    expect([ref, payload.ref]).toEqual([undefined, undefined]);
  });

  row('limit frame size', 'closes with 1009 at a frame that is too large', async () => {
    socket.sendRaw('x'.repeat(64 * 1024));
    expect((await socket.next('error')).payload.code).toBe('invalid-frame');
    socket.sendRaw('x'.repeat(64 * 1024 + 1));
    expect((await socket.closed).code).toBe(1009);
  });

  it('closes with 4002 after many malformed frames, and logs none of them', async () => {
    const before = chat.instance.logLines.length;
    for (let i = 0; i < 25; i += 1) socket.sendRaw('rubbish');
    expect((await socket.closed).code).toBe(4002);
    expect(socket.received('error')).toHaveLength(20);
    expect(chat.instance.logLines.slice(before).join('')).not.toContain('rubbish');
    expect(chat.instance.logLines.length - before).toBeLessThan(5);
  });

  it('never logs a message text', async () => {
    await socket.request('create-conversation', { to: 'bob', message: 'the secret of the hive' }, 'chat-message');
    const astray = { conversation_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', message: 'another secret' };
    await socket.requestError('chat-message', astray);
    expect(chat.instance.logLines.join('')).not.toMatch(/secret of the hive|another secret/);
  });
});
