import { formatEventId, indexNameOf, parseEventId } from './event-id';

it('formats and parses index and notification', () => {
  const position = { index: indexNameOf('0a1b2c3d-0000-4000-8000-000000000000'), id: 74_558_423_826_333_696n };
  expect(formatEventId(position)).toBe('0a1b2c3d-74558423826333696');
  expect(parseEventId(formatEventId(position))).toEqual(position);
});

it.each(['', '7', '0a1b2c3d-', '0A1B2C3D-7', '0a1b2c3d-7x', '0a1b2c3d--1', `0a1b2c3d-${'9'.repeat(19)}`])(
  'parses a malformed id as one of no index: %s',
  (text) => {
    expect(parseEventId(text)).toEqual({ index: '', id: 0n });
  },
);
