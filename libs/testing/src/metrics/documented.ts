import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** A row of the metrics table of a README: `` | `name{label,label}` | type | roles | … | ``. */
export interface DocumentedMetric {
  name: string;
  /** `counter`, `gauge` or `histogram`. */
  type: string;
  labels: string[];
  roles: string[];
}

const row = /^\| `(\w+)(?:\{([\w,]+)\})?` +\| (counter|gauge|histogram) +\| ([\w, ]+?) +\|/gm;

/** Returns the metrics in the README of an app, and the shared metrics of its roles in the README of libs/service. */
export function documentedMetrics(app: string): DocumentedMetric[] {
  const ownMetrics = metricsIn(`apps/${app}/README.md`);
  const appRoles = new Set(ownMetrics.flatMap(({ roles }) => roles));
  const sharedMetrics = metricsIn('libs/service/README.md').filter(({ roles }) =>
    roles.some((role) => appRoles.has(role)),
  );
  return [...ownMetrics, ...sharedMetrics];
}

function metricsIn(file: string): DocumentedMetric[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(row)].map(([, name = '', labels = '', type = '', roles = '']) => ({
    name,
    type,
    labels: labels === '' ? [] : labels.split(','),
    roles: roles.split(', '),
  }));
}
