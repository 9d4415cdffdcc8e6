import { printable } from './printable';

it.each([
  ['plain text', 'plain text'],
  ['Grüße, 你好, 👩‍👩‍👧', 'Grüße, 你好, 👩‍👩‍👧'],
  ['\u001b[31mred\u0007', '␛[31mred␇'],
  ['first\nbob: second\r\nthird', 'first ⏎ bob: second ⏎ third'],
  ['over\rwritten\b', 'over␍written␈'],
  ['a\tb', 'a    b'],
  ['\u007f\u009b2J', '␡\ufffd2J'],
  ['\u202egnp.exe\u2066\u2028', '\ufffdgnp.exe\ufffd\ufffd'],
])('shows %j as %j', (text, shown) => {
  expect(printable(text)).toBe(shown);
});
