import { type DocumentedMetric, type Overlay } from '@waggle/testing';

/** What Prometheus itself adds to every series, as its operator has it do. */
const labelsOfAll = ['namespace', 'job', 'instance', 'le'];

/** `name{label="value", …}` in an expression: every selector of ours names a job, so has braces. */
const selector = /([a-z_0-9]+)\{([^}]*)\}/g;

/** The jobs that an expression asks for. */
export function jobsOf(expr: string): string[] {
  return [...expr.matchAll(/job=~?"([^"]+)"/g)].flatMap(([, jobs = '']) => jobs.split('|'));
}

/** The jobs that Prometheus makes of a service: no stranger's, which may have the service's name, is among them. */
export function jobsIn(overlay: Overlay): string[] {
  const monitors = overlay.manifests.filter(({ kind }) => kind === 'ServiceMonitor');
  expect(monitors.map(({ spec }) => spec)).toEqual([expect.objectContaining({ jobLabel: 'job' })]);
  const services = overlay.manifests.filter(({ kind }) => kind === 'Service');
  expect(services.map(({ metadata }) => metadata.labels?.['job'])).toEqual(
    services.map(({ metadata }) => `waggle-${metadata.name}`),
  );
  return services.map(({ metadata }) => `waggle-${metadata.name}`);
}

/**
 * What is asked for in vain by an expression: metrics that the README of the service does not name (its tests compare it with
 * `/metrics`), labels that these do not have, and metrics of a role of which the job is not.
 */
export function faultsOfExpression(expr: string, documented: readonly DocumentedMetric[]): string[] {
  return [...expr.matchAll(selector)].flatMap(([, asked = '', matchers = '']) => {
    if (asked === 'up') return [];
    const name = asked.replace(/_(bucket|count|sum)$/, '');
    const metric = documented.find((one) => one.name === name && (one.type === 'histogram') === (asked !== name));
    if (metric === undefined) return [`no metric ${asked}`];
    const labels = [...matchers.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label);
    const roles = jobsOf(matchers).map((job) => (job.endsWith('-indexer') ? 'indexer' : 'API'));
    return [
      ...labels
        .filter((label) => !labelsOfAll.includes(label) && !metric.labels.includes(label))
        .map((label) => `${name} has no label ${label}`),
      ...roles.filter((role) => !metric.roles.includes(role)).map((role) => `${name} is none of the ${role}`),
    ];
  });
}
