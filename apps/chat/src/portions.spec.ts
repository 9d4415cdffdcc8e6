import { setImmediate } from 'node:timers/promises';
import { portionsOf } from './portions';

async function sizesOf(count: number): Promise<number[]> {
  const sizes: number[] = [];
  for await (const portion of portionsOf(Array.from({ length: count }))) sizes.push(portion.length);
  return sizes;
}

describe('portions', () => {
  it('have 100 items, and the last one what is left', async () => {
    expect(await sizesOf(0)).toEqual([]);
    expect(await sizesOf(250)).toEqual([100, 100, 50]);
  });

  it('are at most 200, so that their pauses take about a second', async () => {
    expect(await sizesOf(100_000)).toEqual(Array.from({ length: 200 }, () => 500));
  });

  it('let other work run between them', async () => {
    let turns = 0;
    let isDone = false;
    const count = async () => {
      for (; !isDone; turns += 1) await setImmediate();
    };
    const counted = count();
    await sizesOf(1_000);
    isDone = true;
    await counted;
    expect(turns).toBeGreaterThan(9);
  });
});
