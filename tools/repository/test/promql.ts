import { type DocumentedMetric, type Overlay } from '@waggle/testing';

/** Labels that Prometheus and its operator add to every series. */
const labelsOfAll = ['namespace', 'job', 'instance', 'le'];

/** `name{label="value", …}` in an expression. All our selectors name a job, so they have braces. */
const selector = /([a-z_0-9]+)\{([^}]*)\}/g;

/** Returns the jobs that an expression selects. */
export function jobsOf(expr: string): string[] {
  return [...expr.matchAll(/job=~?"([^"]+)"/g)].flatMap(([, jobs = '']) => jobs.split('|'));
}

/**
 * Returns the values of the label `job` that an overlay produces. Our prefix distinguishes them from other services of
 * the cluster.
 */
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
 * Finds metrics that the README of the service does not list (its tests compare it with `/metrics`), labels that these
 * do not have, and metrics that the role of the selected job does not have.
 */
export function checkExpression(expr: string, documented: readonly DocumentedMetric[]): string[] {
  return [...expr.matchAll(selector)].flatMap(([, selected = '', matchers = '']) => {
    if (selected === 'up') return [];
    const name = selected.replace(/_(bucket|count|sum)$/, '');
    const metric = documented.find((one) => one.name === name && (one.type === 'histogram') === (selected !== name));
    if (metric === undefined) return [`no metric ${selected}`];
    const labels = [...matchers.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label);
    const processes = jobsOf(matchers).map((job) => (job.endsWith('-indexer') ? 'indexer' : 'API'));
    return [
      ...labels
        .filter((label) => !labelsOfAll.includes(label) && !metric.labels.includes(label))
        .map((label) => `${name} has no label ${label}`),
      ...processes
        .filter((process) => !metric.processes.includes(process))
        .map((process) => `${name} is not a metric of the ${process}`),
    ];
  });
}
