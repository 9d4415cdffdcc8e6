import { en } from '../i18n/en';
import { previewOf, spokenText } from './preview';

const hosts = ['images.example'];

it.each([
  ['Hello', 'Hello'],
  ['**Two**\nlines', 'Two lines'],
  ['Look\nhttps://images.example/a.png', 'Look'],
  ['https://images.example/a.png', 'Image'],
  ['https://images.example/a.png\nhttps://images.example/b.png', '2 images'],
  ['https://images.example/a.png\nis it', 'https://images.example/a.png is it'],
  ['https://elsewhere.example/a.png', 'https://elsewhere.example/a.png'],
  ['', ''],
])('shows %j as %j', (content, expected) => {
  expect(previewOf(content, hosts, en)).toBe(expected);
});

it('is short', () => {
  expect(previewOf('word '.repeat(800), hosts, en).length).toBeLessThanOrEqual(200);
});

it.each([
  ['**Two**\nlines', 'Two\nlines'],
  ['Look\nhttps://images.example/a.png\nhttps://images.example/b.png', 'Look\n2 images'],
  ['https://images.example/a.png', 'Image'],
])('announces %j as %j', (content, expected) => {
  expect(spokenText(content, hosts, en)).toBe(expected);
});
