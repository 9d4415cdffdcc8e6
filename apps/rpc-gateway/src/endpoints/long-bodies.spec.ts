import { setImmediate } from 'node:timers/promises';
import { LongBodies } from './long-bodies';

const long = Buffer.alloc(64 * 1024 + 1);
const short = Buffer.alloc(64 * 1024);

/** Keeps the thread busy. */
function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

it('handles short bodies at once, and between long ones', async () => {
  const bodies = new LongBodies();
  const handled: string[] = [];
  for (const name of ['first', 'second', 'third'])
    bodies.handle(long, () => {
      handled.push(name);
      work(20);
    });
  bodies.handle(short, () => handled.push('short'));
  expect(handled).toEqual(['short']);
  while (!handled.includes('first')) await setImmediate();
  expect(handled).toEqual(['short', 'first']);
  bodies.handle(short, () => handled.push('short again'));
  while (handled.length < 5) await setImmediate();
  expect(handled).toEqual(['short', 'first', 'short again', 'second', 'third']);
});
