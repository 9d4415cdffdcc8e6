import { messageOf, textOf } from './attachments';

const [one, two] = ['https://images.example/1.png', 'https://images.example/2.png'].map((url) => ({
  url,
  name: 'bees.png',
  media_type: 'image/png',
  bytes: 10,
})) as [never, never];
const urls = 'https://images.example/1.png\nhttps://images.example/2.png';

it.each([
  ['hello', undefined, 'hello'],
  [urls, undefined, urls],
  [urls, [one, two], ''],
  [`hello\n${urls}`, [one, two], 'hello'],
  [`hello${urls}`, [one, two], `hello${urls}`],
  [`hello\n\n${urls}`, [one, two], 'hello\n'],
])('takes the URLs of attachments from the text %j', (content, attachments, text) => {
  expect(textOf({ content, attachments })).toBe(text);
});

it('sends the URLs if there is no text', () => {
  expect(messageOf(' ', { attachments: [one, two] })).toEqual({ message: urls, attachments: [one, two] });
  expect(messageOf('hello', { attachments: [one] })).toEqual({ message: 'hello', attachments: [one] });
  expect(messageOf('')).toEqual({ message: '' });
});
