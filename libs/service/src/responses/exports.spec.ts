import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Exports } from './exports';

const page = 'x'.repeat(64 * 1024);
const pages = 100;

/** An export of 6.4 MB whose reader must take 10 MB/s, if the service waits for it for longer than `graceMs`. */
async function begin(graceMs: number, pageDelayMs = 0) {
  const pace = { minBytesPerSecond: 10_000_000, graceMs };
  const exports = new Exports({ maxConcurrent: 1, maxDurationMs: 60_000, pace });
  async function* read() {
    for (let count = 0; count < pages; count += 1) {
      if (pageDelayMs > 0) await pause(pageDelayMs);
      yield page;
    }
  }
  const { stream } = await exports.begin('address', () => Promise.resolve({ pages: read() }));
  return stream;
}

it('disconnects a reader that never stalls but is too slow on average', async () => {
  const stream = await begin(200);
  const read: unknown[] = [];
  const reading = async () => {
    for await (const each of stream) {
      read.push(each);
      await pause(20);
    }
  };
  await expect(reading()).rejects.toThrow('the reader of the export is too slow');
  expect(read.length).toBeLessThan(pages);
});

it('does not disconnect a fast reader, even if the service is slow', async () => {
  // A busy machine may delay the reader by a part of a second. The pages take 2 s.
  const graceMs = 1_000;
  expect(await text(await begin(graceMs))).toHaveLength(pages * page.length);
  expect(await text(await begin(graceMs, 20))).toHaveLength(pages * page.length);
});
