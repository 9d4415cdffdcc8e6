import { Registry } from 'prom-client';
import { observeReadiness } from './metrics';
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

  it('requires a dependency that is added', async () => {
    const readiness = new Readiness([up]);
    readiness.add({ name: 'cache', check: () => Promise.reject(new Error('away')) });
    expect(await readiness.report()).toMatchObject({ ready: false, checks: { up: 'up', cache: 'down' } });
  });

  it('reports details, which do not affect it', async () => {
    const readiness = new Readiness([up]);
    readiness.addDetail('index', () => ({ block: 7 }));
    readiness.addDetail('broken', () => {
      throw new Error('unknown');
    });
    expect(await readiness.report()).toMatchObject({ ready: true, index: { block: 7 }, broken: null });
  });

  it('requires every dependency once, and afterwards only the essential ones', async () => {
    let isAway = true;
    const cache = { name: 'cache', check: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()) };
    const readiness = new Readiness([up, cache], { canServe: ({ up: state }) => state === 'up' });
    expect(await readiness.report()).toMatchObject({ ready: false, checks: { up: 'up', cache: 'down' } });
    isAway = false;
    expect(await readiness.report()).toMatchObject({ ready: true });
    isAway = true;
    expect(await readiness.report()).toMatchObject({ ready: true, checks: { up: 'up', cache: 'down' } });
  });

  it('shows the state of each dependency as a metric', async () => {
    const metrics = new Registry();
    const gone = { name: 'gone', check: () => Promise.reject(new Error('gone')) };
    observeReadiness(metrics, new Readiness([up, gone]));
    expect(await metrics.metrics()).toContain('readiness_check_up{check="up"} 1\nreadiness_check_up{check="gone"} 0\n');
  });

  it('is not ready once it drains', async () => {
    const readiness = new Readiness([up]);
    readiness.startDraining();
    expect(await readiness.report()).toMatchObject({ ready: false, draining: true });
  });
});
