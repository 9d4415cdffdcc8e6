import { unreadMessageWithSeq, type Attachment, type Capability } from '@waggle/contracts';
import { z } from 'zod';
import { type ChatSocket } from '../support/chat-socket';
import { type ChatUser } from '../support/chat-client';
import { ChatUnderTest } from '../support/chat-under-test';

const rich: readonly Capability[] = ['rich', 'sync', 'client-id'];
const settings = { messages: { attachmentHosts: ['images.example', 'files.example:8443'] } };

const image: Attachment = {
  url: 'https://images.example/DQm1/bees%20at%20work.jpg',
  name: 'bees at work.jpg',
  media_type: 'image/jpeg',
  bytes: 120_000,
  width: 1_600,
  height: 1_200,
  blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
  sha256: 'a'.repeat(64),
};
const file: Attachment = {
  url: 'https://files.example:8443/list.pdf',
  name: 'list.pdf',
  media_type: 'application/pdf',
  bytes: 5_000,
};

describe('a message with attachments', () => {
  let chat: ChatUnderTest;
  let alice: ChatUser;
  let bob: ChatUser;
  let ofAlice: ChatSocket;
  let ofBob: ChatSocket;
  /** An account of another instance. */
  let carol: ChatUser;
  let ofCarol: ChatSocket;
  let conversation_id: string;
  beforeAll(async () => {
    chat = await ChatUnderTest.startWithRedis(settings);
    const other = await chat.addInstance(settings);
    [alice, bob, carol] = [
      await chat.instance.join('alice'),
      await chat.instance.join('bob'),
      await other.join('carol'),
    ];
    [ofAlice, ofBob, ofCarol] = await Promise.all([alice.connect(rich), bob.connect(rich), carol.connect(rich)]);
    ({ id: conversation_id } = await alice.open(['bob', 'carol']));
  });
  afterAll(() => chat.stop());

  const send = (message: string, attachments: readonly Attachment[], more: object = {}) =>
    ofAlice.request('chat-message', { conversation_id, message, attachments, ...more }, 'chat-message');
  const last = async (user: ChatUser) => (await user.extendedHistory(conversation_id)).at(-1);

  it('is delivered with them, live, in lists and after a reconnect', async () => {
    const attachments = [image, file];
    const content = `Look!\n${image.url}\n${file.url}`;
    ofCarol.send('authenticate', { token: carol.session.token });
    const { cursor } = (await ofCarol.next('status', (status) => status.cursor !== undefined)).payload;
    const sent = await send('Look!', attachments);
    expect(sent).toMatchObject({ content, attachments });
    for (const socket of [ofBob, ofCarol]) {
      const { payload } = await socket.next('chat-message', ({ id }) => id === sent.id);
      expect(payload).toMatchObject({ content, attachments });
    }
    for (const user of [alice, bob, carol]) expect(await last(user)).toMatchObject({ content, attachments });
    const unread = await carol.getJson('/messages/new?extended=true', z.array(unreadMessageWithSeq));
    expect(unread.at(-1)).toMatchObject({ id: sent.id, attachments });
    const again = await chat.instance.openSocket();
    again.send('authenticate', { token: carol.session.token, capabilities: rich, resume: cursor });
    const { payload } = await again.next('chat-message', ({ id }) => id === sent.id);
    expect(payload).toMatchObject({ content, attachments });
  });

  it('is a text with their URLs for clients that do not ask for more', async () => {
    const sent = await send(image.url, [image]);
    const { payload } = await carol.socket.next('chat-message', ({ id }) => id === sent.id);
    const plain = { conversation_id, from: 'alice', to: null, content: image.url };
    const whole = { ...plain, id: sent.id, timestamp: sent.timestamp };
    expect(payload).toEqual({ ...whole, read: false });
    expect((await carol.history(conversation_id)).at(-1)).toEqual({ ...whole, read: false });
    expect((await carol.unread()).at(-1)).toEqual(whole);
  });

  it('begins a dm, and a group', async () => {
    const dm = await ofAlice.request(
      'chat-message',
      { to: 'bob', message: 'dm', attachments: [image] },
      'chat-message',
    );
    expect(dm).toMatchObject({ content: `dm\n${image.url}`, attachments: [image] });
    const payload = { to: ['bob', 'carol'], message: 'group', attachments: [file] };
    const first = await ofAlice.request('create-conversation', payload, 'chat-message');
    expect(first).toMatchObject({ content: `group\n${file.url}`, attachments: [file] });
  });

  it('keeps them when its text is edited, and shows nothing of them once it is deleted', async () => {
    const { id } = await send('one', [image]);
    const content = `two\n${image.url}`;
    const edit = (message: string) => ofAlice.request('edit-message', { id, message }, 'message-edited');
    expect(await edit('two')).toMatchObject({ content, revision: 1 });
    expect(await edit(content)).toMatchObject({ content, revision: 1 });
    expect(await last(bob)).toMatchObject({ content, attachments: [image] });
    await ofAlice.request('delete-message', { id }, 'message-deleted');
    expect(JSON.stringify(await bob.extendedHistory(conversation_id))).not.toContain(id);
  });

  it('is stored once with its client_id, and not with other attachments', async () => {
    const client_id = 'with-image';
    const { id } = await send('once', [image], { client_id });
    expect(await send('once', [image], { client_id })).toMatchObject({ id, attachments: [image] });
    const changed = { conversation_id, message: `once\n${image.url}`, client_id };
    for (const attachments of [[{ ...image, width: 1 }], undefined]) {
      const error = await ofAlice.requestError('chat-message', { ...changed, attachments });
      expect(error.code).toBe('conflict');
    }
  });

  it('counts towards the size of a page', async () => {
    const { id } = await bob.open(['alice', 'carol']);
    const name = 'é'.repeat(128);
    const attachments = Array.from({ length: 10 }, (_, i) => ({
      ...image,
      name,
      url: `https://images.example/${i}${'a'.repeat(900)}`,
    }));
    for (let i = 0; i < 40; i++)
      await ofBob.request('chat-message', { conversation_id: id, message: `${i}`, attachments }, 'chat-message');
    const page = await bob.extendedHistory(id);
    expect(page.length).toBeLessThan(40);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(512 * 1024);
  });

  const url = (text: string) => ({ ...image, url: text });
  it.each([
    ['another host', [url('https://evil.example/a.png')], 'forbidden'],
    ['a subdomain', [url('https://a.images.example/a.png')], 'forbidden'],
    ['a port', [url('https://images.example:8443/a.png')], 'forbidden'],
    ['an address', [url('https://127.0.0.1/a.png')], 'forbidden'],
    ['an IPv6 address', [url('https://[::1]/a.png')], 'forbidden'],
    ['a private host', [url('https://localhost/a.png')], 'forbidden'],
    ['http', [url('http://images.example/a.png')], 'invalid-frame'],
    ['another scheme', [url('javascript:alert(1)')], 'invalid-frame'],
    ['data', [url('data:image/png;base64,aaaa')], 'invalid-frame'],
    ['a user', [url('https://bob@images.example/a.png')], 'invalid-frame'],
    ['a password', [url('https://bob:secret@images.example/a.png')], 'invalid-frame'],
    ['no URL', [url('images.example/a.png')], 'invalid-frame'],
    ['a URL that is not normal', [url('https://images.example/a b.png')], 'invalid-frame'],
    ['a number as the host', [url('https://2130706433/a.png')], 'invalid-frame'],
    ['a backslash', [url('https:\\\\images.example/a.png')], 'invalid-frame'],
    ['a directional mark', [url('https://images.example/a\u202Egnp.exe')], 'invalid-frame'],
    ['a URL of 10 kB', [url(`https://images.example/${'a'.repeat(10_000)}`)], 'too-large'],
    ['eleven', Array.from({ length: 11 }, () => image), 'too-large'],
    ['a name with a directional mark', [{ ...image, name: 'a\u202Egnp.exe' }], 'invalid-frame'],
    ['a name with a control character', [{ ...image, name: 'a\0b' }], 'invalid-frame'],
    ['a blank name', [{ ...image, name: ' ' }], 'invalid-frame'],
    ['a long name', [{ ...image, name: 'a'.repeat(129) }], 'too-large'],
    ['an image without a size', [{ ...image, width: undefined }], 'invalid-frame'],
    ['a width of 0', [{ ...image, width: 0 }], 'invalid-frame'],
    ['a media type', [{ ...image, media_type: 'image' }], 'invalid-frame'],
    ['bytes', [{ ...image, bytes: -1 }], 'invalid-frame'],
    ['a hash', [{ ...image, sha256: 'A' }], 'invalid-frame'],
    ['no list', image, 'invalid-frame'],
    ['no objects', ['a'], 'invalid-frame'],
  ])('is rejected for %s, and nothing is stored', async (_what, attachments, code) => {
    const before = (await last(bob))?.id;
    const error = await ofAlice.requestError('chat-message', { conversation_id, message: 'no', attachments });
    expect(error.code).toBe(code);
    expect((await last(bob))?.id).toBe(before);
  });

  it('may have none, or what this service does not know', async () => {
    expect((await send('none', [])).attachments).toBeUndefined();
    const sent = await send('more', [{ ...file, ...{ pages: 3 } }]);
    expect(sent.attachments).toEqual([file]);
  });

  it('is a plain message from a connection without the capability', async () => {
    const payload = { conversation_id, message: 'plain', attachments: 'anything' };
    await carol.socket.request('chat-message', payload, 'chat-message');
    expect(await last(bob)).not.toHaveProperty('attachments');
  });
});

it('is rejected with attachments if the operator allows no host', async () => {
  const chat = await ChatUnderTest.start();
  try {
    const alice = await chat.instance.join('alice');
    await chat.instance.join('bob');
    const socket = await alice.connect(rich);
    const error = await socket.requestError('chat-message', { to: 'bob', message: 'no', attachments: [image] });
    expect(error).toMatchObject({ code: 'forbidden', message: 'files on images.example are not allowed here' });
  } finally {
    await chat.stop();
  }
});
