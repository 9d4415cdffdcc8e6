import { type DocumentedMetric } from './documented';

/** Default metrics of the process, which prom-client documents. */
const ofTheProcess = /^(process|nodejs)_/;

/** Suffixes and labels that Prometheus adds to a histogram. */
const ofHistograms = { suffix: /_(bucket|sum|count)$/, label: 'le' };

/**
 * Compares `/metrics` with the table in the service's README.
 *
 * @returns missing metrics, different types, and different labels (of metrics with a value)
 */
export function differencesFromReadme(
  exposition: string,
  documented: readonly DocumentedMetric[],
  process: string,
): string[] {
  const types = new Map(
    [...exposition.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']): [string, string] => [
      name,
      type,
    ]),
  );
  const expected = documented.filter(({ processes }) => processes.includes(process));
  const labels = labelsOf(exposition);
  return [
    ...[...types.keys()]
      .filter((name) => !ofTheProcess.test(name) && !expected.some((one) => one.name === name))
      .map((name) => `${name}: not in the README`),
    ...expected.flatMap(({ name, type, labels: documentedLabels }) => {
      if (!types.has(name)) return [`${name}: not at /metrics`];
      if (types.get(name) !== type) return [`${name}: is a ${types.get(name) ?? ''}`];
      const found = labels.get(name);
      const differs = found !== undefined && [...found].sort().join() !== [...documentedLabels].sort().join();
      return differs ? [`${name}: has the labels ${[...found].join()}`] : [];
    }),
  ];
}

/** The labels of each metric that has a value. */
function labelsOf(exposition: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  for (const [, sample = '', pairs = ''] of exposition.matchAll(/^(\w+)(?:\{(.*)\})? [^ ]+$/gm)) {
    const name = sample.replace(ofHistograms.suffix, '');
    const names = [...pairs.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].flatMap(([, label = '']) =>
      label === ofHistograms.label ? [] : [label],
    );
    labels.set(name, new Set([...(labels.get(name) ?? []), ...names]));
  }
  return labels;
}
