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

/** Returns the metrics in the README of an app, and those of every service in the README of libs/service. */
export function documentedMetrics(app: string): DocumentedMetric[] {
  const ownMetrics = metricsIn(`apps/${app}/README.md`);
  const ownNames = new Set(ownMetrics.map(({ name }) => name));
  return [...ownMetrics, ...metricsIn('libs/service/README.md').filter(({ name }) => !ownNames.has(name))];
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
