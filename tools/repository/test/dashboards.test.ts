import { documentedMetrics, Overlay } from '@waggle/testing';
import { z } from 'zod';
import { checkExpression, jobsIn, jobsOf } from './promql';
import { runPromtool } from './run-promtool';

// kubectl is slow on a busy machine.
const position = z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) });
const datasource = z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') });
const panel = z.discriminatedUnion('type', [
  z.object({ id: z.int(), type: z.literal('row'), title: z.string().min(1), gridPos: position }),
  z.object({
    id: z.int(),
    type: z.literal('timeseries'),
    title: z.string().min(1),
    gridPos: position,
    datasource,
    fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
    targets: z
      .array(z.object({ refId: z.string().min(1), datasource, expr: z.string(), legendFormat: z.string().min(1) }))
      .min(1),
  }),
]);
const dashboard = z.object({
  uid: z.string().max(40),
  title: z.string(),
  schemaVersion: z.int(),
  templating: z.object({
    list: z.tuple([
      z.looseObject({ name: z.literal('datasource'), type: z.literal('datasource') }),
      z.looseObject({ name: z.literal('namespace'), type: z.literal('query'), query: z.string(), datasource }),
    ]),
  }),
  panels: z.array(panel).min(1),
});

describe.each(['chat', 'delegation', 'video-auth', 'rpc-gateway'])('the dashboard of %s', (app) => {
  const overlay = Overlay.build(`production/${app}`);
  const data = z.record(z.string(), z.string()).parse(overlay.get('ConfigMap', `${app}-dashboard`)['data']);
  const { panels } = dashboard.parse(JSON.parse(data[`${app}.json`] ?? ''));
  const lines = panels.flatMap((one) => (one.type === 'row' ? [] : one.targets));

  it('has the label of Grafana’s sidecar, and a layout without overlap', () => {
    expect(overlay.get('ConfigMap', `${app}-dashboard`).metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  it('uses existing metrics and jobs, and only known labels in legends', () => {
    const metrics = documentedMetrics(app);
    const jobs = jobsIn(overlay);
    for (const { expr, legendFormat } of lines) {
      expect([expr, checkExpression(expr, metrics)]).toEqual([expr, []]);
      expect([expr, jobsOf(expr).filter((job) => !jobs.includes(job))]).toEqual([expr, []]);
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '));
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      const known = [...grouped, 'instance', ...(grouped.length === 0 ? metrics.flatMap(({ labels }) => labels) : [])];
      expect([expr, named.filter((label) => !known.includes(label))]).toEqual([expr, []]);
    }
  });

  it('has valid expressions', async () => {
    const rules = lines.map(({ expr }, index) => ({ record: `dashboard:${index}`, expr }));
    const files = { 'rules.json': { groups: [{ name: 'dashboard', rules }] } };
    expect(await runPromtool(['check', 'rules', '--lint=none', 'rules.json'], files)).toBe('');
  });

  it('limits every line to the selected namespaces', () => {
    const selectors = lines.flatMap(({ expr }) => expr.match(/\{[^}]*\}/g) ?? []);
    expect(selectors.length).toBeGreaterThanOrEqual(lines.length);
    expect(selectors.filter((one) => !one.startsWith('{namespace=~"$namespace", job'))).toEqual([]);
  });

  it('shows every metric of the service', () => {
    const shown = lines.map(({ expr }) => expr).join('\n');
    expect(documentedMetrics(app).filter(({ name }) => !shown.includes(name))).toEqual([]);
  });
});
