import { en } from '../i18n/en';
import { lineOf } from './quote';

const hosts = ['images.example'];

it.each([
  ['short', 'short'],
  ['two\nlines \t and  spaces', 'two lines and spaces'],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), `${'x'.repeat(100)}…`],
  ['hello\nhttps://images.example/a.png', 'hello'],
  ['https://images.example/a.png\nhttps://images.example/b.png', '2 images'],
])('shows %j in one line', (content, line) => {
  expect(lineOf(content, hosts, en)).toBe(line);
});

it('ends between two characters also if the service has cut one', () => {
  const family = '👨‍👩‍👧‍👦';
  // The service cuts after 140 code points.
  const quoted = Array.from(`${'x'.repeat(95)}${family.repeat(10)}`)
    .slice(0, 140)
    .join('');
  expect(lineOf(quoted, hosts, en)).toBe(`${'x'.repeat(95)}…`);
});
