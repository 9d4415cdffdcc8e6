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

/** Returns the metrics of `apps/<app>/README.md`, in its order. */
export function documentedMetrics(app: string): DocumentedMetric[] {
  const text = readFileSync(path.join(root, 'apps', app, 'README.md'), 'utf8');
  return [...text.matchAll(row)].map(([, name = '', labels = '', type = '', roles = '']) => ({
    name,
    type,
    labels: labels === '' ? [] : labels.split(','),
    roles: roles.split(', '),
  }));
}
