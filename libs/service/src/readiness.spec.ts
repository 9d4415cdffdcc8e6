import { Readiness } from './readiness';

describe('Readiness', () => {
  const up = { name: 'up', check: () => Promise.resolve() };

  it('is ready when every dependency responds', async () => {
    expect(await new Readiness([up]).report()).toEqual({ ready: true, draining: false, checks: { up: 'up' } });
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('gone'))],
    [
      'throws',
      () => {
        throw new Error('gone');
      },
    ],
    ['never responds', () => new Promise(() => undefined)],
  ])('is not ready when a check %s', async (_how, check) => {
    const report = await new Readiness([up, { name: 'database', check }], { deadlineMs: 20 }).report();
    expect(report).toEqual({ ready: false, draining: false, checks: { up: 'up', database: 'down' } });
  });

  it('reports details, which do not affect it', async () => {
    const readiness = new Readiness([up], { details: () => ({ index: { block: 7 } }) });
    expect(await readiness.report()).toMatchObject({ ready: true, index: { block: 7 } });
  });

  it('is not ready once it drains', async () => {
    const readiness = new Readiness([up]);
    readiness.startDraining();
    expect(await readiness.report()).toMatchObject({ ready: false, draining: true });
  });
});
