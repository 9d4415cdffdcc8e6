import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadConfiguration } from '@waggle/service';
import { commandsIn } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { channelWithIdSchema, createChannelWithId } from '../../src/conversations/channel-with-id';
import { ChatUnderTest } from '../support/chat-under-test';

/** Runs a command of the service in a process of its own. */
async function run(databaseUrl: string, script: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('node', [`dist/${script}`, ...args], {
    cwd: path.join(__dirname, '../..'),
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  return stdout.trim();
}

const channel = { id: 'Mine', name: 'Bees', creator: 'alice' };

describe('a channel with a given id', () => {
  let chat: ChatUnderTest;
  beforeAll(async () => {
    chat = await ChatUnderTest.start();
  });
  afterEach(() => chat.instance.close());
  afterAll(() => chat.stop());

  it('is created by the command of the README, and a running service delivers it to its creator', async () => {
    const alice = await chat.instance.join('alice');
    const [command = ''] = commandsIn('apps/chat/README.md', 'Channels with a given id');
    const [, , ...args] = command.split(' ');
    expect(await run(chat.database.url, 'create-channel.js', ...args)).toBe('created the channel hive_general');
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

  it('is unchanged if it exists', async () => {
    expect(await createChannelWithId(chat.database.url, { ...channel, id: 'Kept' })).toBe(true);
    const other = { id: 'Kept', name: 'Wasps', creator: 'bob' };
    expect(await createChannelWithId(chat.database.url, other)).toBe(false);
    const alice = await chat.instance.join('alice');
    expect(await alice.conversation('Kept')).toMatchObject({ name: 'Bees', creator: 'alice' });
  });

  it('is not created with the id of another conversation', async () => {
    const alice = await chat.instance.join('alice');
    const { id } = await alice.open('bob');
    await expect(createChannelWithId(chat.database.url, { ...channel, id })).rejects.toThrow(
      'is the id of another conversation',
    );
  });

  it.each([
    [{ id: 'no id' }, 'id: not an identifier'],
    [{ id: 'hive-12345' }, 'id: must not be a valid account name'],
    [{ id: 'hive-general' }, 'id: must not be a valid account name'],
    [{ id: 'bob' }, 'id: must not be a valid account name'],
    [{ name: ' ' }, 'name: '],
    [{ creator: 'No Name' }, 'creator: '],
    [{ creator: undefined }, 'creator: '],
  ])('must not have %j', (invalid, message) => {
    expect(() => loadConfiguration(channelWithIdSchema, { ...channel, ...invalid })).toThrow(message);
  });
});

describe('a command of the service', () => {
  it('prints the invalid arguments, without a stack trace', async () => {
    const command = run('postgres://chat@127.0.0.1:1/chat', 'create-channel.js', '--id', 'bob', '--name', 'Bees');
    await expect(command).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/id: must not be a valid account name.*\n.*creator: .*\n$/),
    });
  });

  // Another process.
  longTest('prints one line if the database is down', async () => {
    await expect(run('postgres://chat@127.0.0.1:1/chat', 'migrate.js')).rejects.toMatchObject({
      code: 1,
      stderr: 'The database is not available: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });
});
