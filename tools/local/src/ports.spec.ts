import { PlainError } from '@waggle/running';
import { chatPort, portOf } from './ports';

it.each([
  [{}, 3000],
  [{ CHAT_PORT: '' }, 3000],
  [{ CHAT_PORT: '1' }, 1],
  [{ CHAT_PORT: '65535' }, 65_535],
])('reads the port of %j', (environment, port) => {
  expect(portOf(chatPort, environment)).toBe(port);
});

it.each(['0', '65536', '-1', '80.5', '1e3', ' 80', 'http'])('rejects %j with a plain error', (text) => {
  expect(() => portOf(chatPort, { CHAT_PORT: text })).toThrow(PlainError);
  expect(() => portOf(chatPort, { CHAT_PORT: text })).toThrow(`CHAT_PORT=${text} is not a port for the chat`);
});
