import { GrowingBuffer } from './growing-buffer';

it('joins chunks of any length', () => {
  const buffer = new GrowingBuffer();
  const chunks = ['', 'a', 'bc', '', 'defghijklmnopqrstuvwxyz', 'a', 'b'].map((text) => Buffer.from(text));
  for (const chunk of chunks) buffer.append(chunk);
  expect([buffer.length, buffer.bytes.toString()]).toEqual([28, 'abcdefghijklmnopqrstuvwxyzab']);
});

it('does not copy a single chunk, and never changes one', () => {
  const chunk = Buffer.from('abcdef').subarray(0, 3);
  const buffer = new GrowingBuffer();
  expect(buffer.bytes).toHaveLength(0);
  buffer.append(chunk);
  expect([buffer.bytes.buffer, buffer.bytes.byteOffset]).toEqual([chunk.buffer, chunk.byteOffset]);
  buffer.append(Buffer.from('xyz'));
  expect([buffer.bytes.toString(), chunk.toString()]).toEqual(['abcxyz', 'abc']);
});
