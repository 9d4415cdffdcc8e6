import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Overlay } from '@waggle/testing';
import { z } from 'zod';

// kubectl takes its time on a busy machine.
jest.setTimeout(120_000);

const root = path.resolve(__dirname, '../..');

const rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

function sourcesUnder(folder: string): string {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8'))
    .join('\n');
}

/** The metrics that an expression asks for, without what Prometheus adds to a histogram's name. */
function metricsOf(expr: string): string[] {
  const names = expr.matchAll(/([a-z_]+)\{/g);
  return [...names].map(([, name = '']) => name.replace(/_(bucket|count)$/, '')).filter((name) => name !== 'up');
}

it.each(['chat', 'delegation', 'video-auth', 'rpc-gateway'])(
  'the alerts of %s ask for metrics that there are, of jobs that there are',
  (app) => {
    const overlay = Overlay.build(`production/${app}`);
    const found = rules.parse(overlay.get('PrometheusRule', app)['spec']).groups.flatMap((group) => group.rules);
    const sources =
      ['service', 'chain'].map((lib) => sourcesUnder(`libs/${lib}/src`)).join('\n') + sourcesUnder(`apps/${app}/src`);
    // The follower's are named by their last part.
    const isMade = (name: string) =>
      sources.includes(`'${name}'`) || sources.includes(`'${name.replace('chain_follower_', '')}'`);
    const services = overlay.manifests.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
    for (const { alert, expr } of found) {
      expect([alert, metricsOf(expr).filter((name) => !isMade(name))]).toEqual([alert, []]);
      const jobs = [...expr.matchAll(/job="([^"]+)"/g)].map(([, job = '']) => job);
      expect([alert, jobs.filter((job) => !services.includes(job))]).toEqual([alert, []]);
      expect(jobs.length).toBeGreaterThan(0);
    }
    expect(found.length).toBeGreaterThan(3);
  },
);
