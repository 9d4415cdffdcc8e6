import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { commandsIn } from '@waggle/testing';
import { ChatUnderTest } from './chat-under-test';

const directory = path.join(__dirname, '..');

describe('dist/create-channel.js', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterEach(() => chat.instance.close());
  afterAll(() => chat.stop());

  const run = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: chat.database.url };
    const { stdout } = await promisify(execFile)('node', ['dist/create-channel.js', ...args], { cwd: directory, env });
    return stdout.trim();
  };
  const channel = (id: string, name = 'Bees', creator = 'alice') => ['--id', id, '--name', name, '--creator', creator];

  it('creates a channel as the README says, which a running service delivers to its creator', async () => {
    const alice = await chat.instance.join('alice');
    const [command = ''] = commandsIn('apps/chat/README.md', 'Channels with a given id');
    const [, , ...args] = command.split(' ');
    expect(await run(...args)).toBe('created the channel hive_general');
    const { payload } = await alice.socket.next('conversation-created');
    expect(payload).toMatchObject({
      id: 'hive_general',
      type: 'channel',
      name: 'General',
      creator: 'alice',
      members: ['alice'],
    });
    const bob = await chat.instance.join('bob');
    expect(await bob.conversation('hive_general')).toEqual(payload);
    await bob.say('hive_general', 'hello');
    expect(await alice.nextText()).toBe('hello');
  });

  it('leaves a channel that exists as it is', async () => {
    await run(...channel('Kept'));
    expect(await run(...channel('Kept', 'Wasps', 'bob'))).toBe('the channel Kept exists already');
    const alice = await chat.instance.join('alice');
    expect(await alice.conversation('Kept')).toMatchObject({ name: 'Bees', creator: 'alice' });
  });

  it.each([
    ['create-channel.js', channel('Bees')],
    ['migrate.js', []],
  ])('prints one line if the database is down (%s)', async (script, args) => {
    const env = { ...process.env, DATABASE_URL: 'postgres://chat@127.0.0.1:1/chat' };
    const command = promisify(execFile)('node', [`dist/${script}`, ...args], { cwd: directory, env });
    await expect(command).rejects.toMatchObject({
      code: 1,
      stderr: 'The database is not available: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });

  it('rejects the id of another conversation, and an invalid channel', async () => {
    const alice = await chat.instance.join('alice');
    const { id } = await alice.open('bob');
    await expect(run(...channel(id))).rejects.toThrow('is the id of another conversation');
    await expect(run(...channel('no id'))).rejects.toThrow('id: not an identifier');
    for (const name of ['hive-12345', 'hive-general', 'bob'])
      await expect(run(...channel(name))).rejects.toThrow('id: must not be a valid account name');
    await expect(run(...channel('Mine', ' '))).rejects.toThrow('name: ');
    await expect(run(...channel('Mine', 'Bees', 'No Name'))).rejects.toThrow('creator: ');
    await expect(run('--id', 'Mine')).rejects.toThrow('creator: ');
    expect(await alice.getError('/messages/conversation?id=Mine')).toMatchObject({ statusCode: 404 });
  });
});
