import { lineOf } from './quote';

it.each([
  ['short', 'short'],
  ['two\nlines \t and  spaces', 'two lines and spaces'],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), `${'x'.repeat(100)}…`],
])('shows %j in one line', (content, line) => {
  expect(lineOf(content)).toBe(line);
});

it('ends between two characters also if the service has cut one', () => {
  const family = '👨‍👩‍👧‍👦';
  // The service cuts after 140 code points.
  const quoted = Array.from(`${'x'.repeat(95)}${family.repeat(10)}`)
    .slice(0, 140)
    .join('');
  expect(lineOf(quoted)).toBe(`${'x'.repeat(95)}…`);
});
