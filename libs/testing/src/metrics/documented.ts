import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** A row of the metrics table of a README: `` | `name{label,label}` | type | processes | … | ``. */
export interface DocumentedMetric {
  name: string;
  /** `counter`, `gauge` or `histogram`. */
  type: string;
  labels: string[];
  processes: string[];
}

const row = /^\| `(\w+)(?:\{([\w,]+)\})?` +\| (counter|gauge|histogram) +\| ([\w, ]+?) +\|/gm;

/** Returns the metrics in the README of an app, and the ones of its processes in the README of libs/service. */
export function documentedMetrics(app: string): DocumentedMetric[] {
  const ownMetrics = metricsIn(`apps/${app}/README.md`);
  const appProcesses = new Set(ownMetrics.flatMap(({ processes }) => processes));
  const sharedMetrics = metricsIn('libs/service/README.md').filter(({ processes }) =>
    processes.some((process) => appProcesses.has(process)),
  );
  return [...ownMetrics, ...sharedMetrics];
}

function metricsIn(file: string): DocumentedMetric[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(row)].map(([, name = '', labels = '', type = '', processes = '']) => ({
    name,
    type,
    labels: labels === '' ? [] : labels.split(','),
    processes: processes.split(', '),
  }));
}
