import { type DocumentedMetric } from './documented';

/** What the process of any service has, which the library that makes them documents: a README names what is asked for. */
const ofTheProcess = /^(process|nodejs)_/;

/** What Prometheus adds to the names and labels of a histogram. */
const ofHistograms = { suffix: /_(bucket|sum|count)$/, label: 'le' };

/**
 * How the answer of `/metrics` differs from what the service's README says that a role has: metrics that only one of them
 * has, other types, other labels (where there is a value). Empty where they agree.
 */
export function differencesFromReadme(
  exposition: string,
  documented: readonly DocumentedMetric[],
  role: string,
): string[] {
  const types = new Map(
    [...exposition.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']): [string, string] => [
      name,
      type,
    ]),
  );
  const expected = documented.filter(({ roles }) => roles.includes(role));
  const labels = labelsOf(exposition);
  return [
    ...[...types.keys()]
      .filter((name) => !ofTheProcess.test(name) && !expected.some((one) => one.name === name))
      .map((name) => `${name}: not in the README`),
    ...expected.flatMap(({ name, type, labels: said }) => {
      if (!types.has(name)) return [`${name}: not at /metrics`];
      if (types.get(name) !== type) return [`${name}: is a ${types.get(name) ?? ''}`];
      const found = labels.get(name);
      const differs = found !== undefined && [...found].sort().join() !== [...said].sort().join();
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
