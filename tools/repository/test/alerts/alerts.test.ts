import { documentedMetrics, Overlay } from '@waggle/testing';
import { alertCases } from './cases';
import { promtoolTest } from './promtool-test';
import { rulesOf } from './rules';
import { checkExpression, jobsIn, jobsOf } from '../promql';
import { runPromtool } from '../run-promtool';

// kubectl is slow on a busy machine.
describe.each(['chat', 'delegation', 'video-auth', 'rpc-gateway'])('the alerts of %s', (app) => {
  let overlay: Overlay;
  beforeAll(() => {
    overlay = Overlay.build(`production/${app}`);
  });
  const found = () => rulesOf(overlay, app).groups.flatMap((group) => group.rules);

  it('use existing metrics and jobs', () => {
    const metrics = documentedMetrics(app);
    const jobs = jobsIn(overlay);
    for (const { alert, expr } of found()) {
      expect([alert, checkExpression(expr, metrics)]).toEqual([alert, []]);
      const used = jobsOf(expr);
      expect([alert, used.filter((job) => !jobs.includes(job))]).toEqual([alert, []]);
      expect(used.length).toBeGreaterThan(0);
    }
  });

  it('evaluate each installation separately', () => {
    for (const { alert, expr } of found())
      expect([alert, expr.match(/\b(?:sum|min|max|count|avg)\b(?! by \(namespace\b)/g)]).toEqual([alert, null]);
  });

  it('each have test series that should fire them and some that should not', () => {
    const cases = alertCases[app] ?? {};
    expect(Object.keys(cases).sort()).toEqual(
      found()
        .map(({ alert }) => alert)
        .sort(),
    );
    const metrics = documentedMetrics(app);
    for (const [alert, { fires, quiet }] of Object.entries(cases))
      for (const series of [...Object.keys(fires), ...Object.keys(quiet)])
        expect([alert, checkExpression(series, metrics)]).toEqual([alert, []]);
  });

  it('fire on the series that should fire them, and not on the others', async () => {
    const rules = rulesOf(overlay, app);
    const files = { 'rules.json': rules, 'test.json': promtoolTest('rules.json', rules, alertCases[app] ?? {}) };
    expect(await runPromtool(['check', 'rules', 'rules.json'], files)).toBe('');
    expect(await runPromtool(['test', 'rules', 'test.json'], files)).toBe('');
  });
});
