import { setImmediate } from 'node:timers/promises';
import { LongBodies } from './long-bodies';

const long = Buffer.alloc(64 * 1024 + 1);
const short = Buffer.alloc(64 * 1024);

/** Keeps the thread busy. */
function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

it('handles short bodies at once, even between long ones', async () => {
  const bodies = new LongBodies();
  const handled: string[] = [];
  const handlerOf = (name: string) => ({ run: () => handled.push(name), fail: () => handled.push('failure') });
  for (const name of ['first', 'second', 'third'])
    bodies.handle(long, {
      run: () => {
        handled.push(name);
        work(20);
        if (name === 'second') throw new Error(name);
      },
      fail: () => handled.push('failure'),
    });
  bodies.handle(short, handlerOf('short'));
  expect(handled).toEqual(['short']);
  while (!handled.includes('first')) await setImmediate();
  bodies.handle(short, handlerOf('short again'));
  while (!handled.includes('third')) await setImmediate();
  expect(handled).toEqual(['short', 'first', 'short again', 'second', 'failure', 'third']);
});
