import { documentedMetrics, Overlay } from '@waggle/testing';
import { z } from 'zod';
import { faultsOfExpression, jobsOf } from './promql';

// kubectl takes its time on a busy machine.
jest.setTimeout(120_000);

const rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

it.each(['chat', 'delegation', 'video-auth', 'rpc-gateway'])(
  'the alerts of %s ask for metrics that there are, of jobs that there are',
  (app) => {
    const overlay = Overlay.build(`production/${app}`);
    const found = rules.parse(overlay.get('PrometheusRule', app)['spec']).groups.flatMap((group) => group.rules);
    const metrics = documentedMetrics(app);
    const services = overlay.manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    for (const { alert, expr } of found) {
      expect([alert, faultsOfExpression(expr, metrics)]).toEqual([alert, []]);
      const jobs = jobsOf(expr);
      expect([alert, jobs.filter((job) => !services.includes(job))]).toEqual([alert, []]);
      expect(jobs.length).toBeGreaterThan(0);
    }
    expect(found.length).toBeGreaterThan(3);
  },
);
