import { devnetKeys } from '@waggle/devnet';
import { PlainError } from '@waggle/running';
import { readArguments } from './arguments';

it('needs no more than a devnet account: bob for alice, alice for everybody else', () => {
  expect(readArguments(['--as', 'alice'], {})).toEqual({
    account: 'alice',
    partner: 'bob',
    url: 'http://127.0.0.1:3000',
    key: devnetKeys('alice').posting.wif,
  });
  expect(readArguments(['--as', 'bob'], {}).partner).toBe('alice');
  expect(readArguments(['--as', 'bob', '--to', 'carol'], {}).partner).toBe('carol');
});

it('finds the service where npm start puts it, unless told', () => {
  expect(readArguments(['--as', 'bob'], { CHAT_PORT: '3100' }).url).toBe('http://127.0.0.1:3100');
  expect(readArguments(['--as', 'bob', '--url', 'https://chat.example/'], {}).url).toBe('https://chat.example');
});

it.each([
  [[], 'Say who you are'],
  [['--as', 'A'], '"A" is not an account name'],
  [['--as', 'somebody.else'], 'give its posting key with --key'],
  [['--as', 'alice', '--url', 'ftp://x'], 'not the URL of a chat service'],
  [['--as', 'alice', '--loud'], '--loud'],
])('refuses %j in one plain line', (args, line) => {
  expect(() => readArguments(args, {})).toThrow(PlainError);
  expect(() => readArguments(args, {})).toThrow(line);
});

it('takes any account with its key', () => {
  expect(readArguments(['--as', 'somebody.else', '--key', '5Jx'], {}).key).toBe('5Jx');
});
