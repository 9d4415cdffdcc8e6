import { setTimeout } from 'node:timers/promises';
import { Gate } from './gate';

describe('Gate', () => {
  it('lets so many through at once, the others in their order, also when one fails', async () => {
    const gate = new Gate(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const run = (number: number) =>
      gate.through(async () => {
        order.push(number);
        running += 1;
        most = Math.max(most, running);
        await setTimeout(5);
        running -= 1;
        if (number % 3 === 0) throw new Error(String(number));
      });
    const ends = await Promise.allSettled(Array.from({ length: 9 }, (_none, number) => run(number)));
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect([most, order]).toEqual([2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
  });

  it('sends away whose turn does not come in time, and nobody else', async () => {
    const gate = new Gate(1);
    let end: () => void = () => undefined;
    const first = gate.through(() => new Promise<void>((resolve) => (end = resolve)));
    await expect(gate.through(() => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
    end();
    await first;
    await expect(gate.through(() => Promise.resolve('done'))).resolves.toBe('done');
  });
});
