import { documentedMetrics, Overlay } from '@waggle/testing';
import { alertCases } from '../src/alerts/cases';
import { rulesOf } from '../src/alerts/rules';
import { faultsOfExpression, jobsIn, jobsOf } from './promql';

// kubectl takes its time on a busy machine.
jest.setTimeout(120_000);

describe.each(['chat', 'delegation', 'video-auth', 'rpc-gateway'])('the alerts of %s', (app) => {
  let overlay: Overlay;
  beforeAll(() => {
    overlay = Overlay.build(`production/${app}`);
  });
  const found = () => rulesOf(overlay, app).groups.flatMap((group) => group.rules);

  it('ask for metrics that there are, of jobs that there are', () => {
    const metrics = documentedMetrics(app);
    const jobs = jobsIn(overlay);
    for (const { alert, expr } of found()) {
      expect([alert, faultsOfExpression(expr, metrics)]).toEqual([alert, []]);
      const asked = jobsOf(expr);
      expect([alert, asked.filter((job) => !jobs.includes(job))]).toEqual([alert, []]);
      expect(asked.length).toBeGreaterThan(0);
    }
  });

  it('judge each installation by itself', () => {
    for (const { alert, expr } of found())
      expect([alert, expr.match(/\b(?:sum|min|max|count|avg)\b(?! by \(namespace\b)/g)]).toEqual([alert, null]);
  });

  // `npm run alerts:check` judges the alerts on them: promtool is a program that not everybody has, and 19 MB to fetch.
  it('each have a series that fires it and one that does not', () => {
    const cases = alertCases[app] ?? {};
    expect(Object.keys(cases).sort()).toEqual(
      found()
        .map(({ alert }) => alert)
        .sort(),
    );
    const metrics = documentedMetrics(app);
    for (const [alert, { fires, quiet }] of Object.entries(cases))
      for (const series of [...Object.keys(fires), ...Object.keys(quiet)])
        expect([alert, faultsOfExpression(series, metrics)]).toEqual([alert, []]);
  });
});
