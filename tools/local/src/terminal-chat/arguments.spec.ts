import { devnetKeys } from '@waggle/devnet';
import { PlainError } from '@waggle/running';
import { readArguments } from './arguments';

it('needs only a devnet account: alice talks to bob, all others talk to alice', () => {
  expect(readArguments(['--as', 'alice'], {})).toEqual({
    account: 'alice',
    partner: 'bob',
    url: 'http://127.0.0.1:3000',
    key: devnetKeys('alice').posting.wif,
  });
  expect(readArguments(['--as', 'bob'], {}).partner).toBe('alice');
  expect(readArguments(['--as', 'bob', '--to', 'carol'], {}).partner).toBe('carol');
});

it('uses the port of npm start, unless --url is given', () => {
  expect(readArguments(['--as', 'bob'], { CHAT_PORT: '3100' }).url).toBe('http://127.0.0.1:3100');
  expect(readArguments(['--as', 'bob', '--url', 'https://chat.example/'], {}).url).toBe('https://chat.example');
});

it.each([
  [[], '--as is missing'],
  [['--as', 'A'], '"A" is not an account name'],
  [['--as', 'another.one'], 'give its posting key with --key'],
  [['--as', 'alice', '--url', 'ftp://x'], 'not the URL of a chat service'],
  [['--as', 'alice', '--loud'], '--loud'],
])('rejects %j with a plain error', (args, line) => {
  expect(() => readArguments(args, {})).toThrow(PlainError);
  expect(() => readArguments(args, {})).toThrow(line);
});

it('accepts any account with its key', () => {
  expect(readArguments(['--as', 'another.one', '--key', '5Jx'], {}).key).toBe('5Jx');
});
