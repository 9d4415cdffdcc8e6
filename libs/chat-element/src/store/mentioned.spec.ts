import { emptyChatData } from './chat-data';
import { countsAsMention } from './mentioned';

const { people } = emptyChatData('alice');
const isOfAlice = (message: object, blocked: string[] = [], members = ['alice', 'bob']) =>
  countsAsMention(
    { from: 'bob', content: '', ...message },
    { account: 'alice', people: { ...people, blocked } },
    { members },
  );

const naming = (content: string, username: string | null) => ({
  content,
  mentions: [{ offset: 3, length: content.length - 3, username }],
});
const reply = (from: string) => ({ reply_to: { id: '1', from, content: 'Hello' } });

it.each([
  [true, 'her name', naming('Hi @alice', 'alice')],
  [false, 'another name', naming('Hi @carol', 'carol')],
  [true, 'all', naming('Hi @all', null)],
  [false, 'those who are online', naming('Hi @here', null)],
  [true, 'a reply to her', reply('alice')],
  [false, 'a reply to another account', reply('carol')],
  [false, 'nothing', {}],
  [false, 'her own message', { from: 'alice', ...naming('Hi @all', null) }],
])('is %s for %s', (expected, _what, message) => {
  expect(isOfAlice(message)).toBe(expected);
  expect(isOfAlice(message, ['bob'])).toBe(false);
});

it('counts @all only for members, and names for those who follow a channel, too', () => {
  expect(isOfAlice(naming('Hi @all', null), [], ['bob'])).toBe(false);
  expect(isOfAlice(naming('Hi @alice', 'alice'), [], ['bob'])).toBe(true);
});
