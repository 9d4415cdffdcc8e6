import { readTypedLine } from './typed-line';

it.each([
  ['hello', { kind: 'message', text: 'hello' }],
  ['  hello you ', { kind: 'message', text: 'hello you' }],
  ['you/me @ 5', { kind: 'message', text: 'you/me @ 5' }],
  ['@carol', { kind: 'recipient', name: 'carol', text: '' }],
  ['@carol  hi there', { kind: 'recipient', name: 'carol', text: 'hi there' }],
  ['@', { kind: 'recipient', name: '', text: '' }],
  ['/help', { kind: 'command', name: 'help' }],
  ['/quit now', { kind: 'command', name: 'quit' }],
  ['/', { kind: 'command', name: '' }],
  ['//help', { kind: 'message', text: '/help' }],
  ['//', { kind: 'message', text: '/' }],
  [' ', undefined],
])('reads %j', (line, read) => {
  expect(readTypedLine(line)).toEqual(read);
});
