import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { grafanaJson } from './dashboard';
import { dashboards } from './services';

const manifests = path.resolve(__dirname, '../../../../k8s/base');

/** Each file that a dashboard is deployed from, and what it should be. */
export function dashboardFiles(): Map<string, string> {
  return new Map(
    dashboards.map((dashboard) => [
      path.join(manifests, dashboard.service, 'dashboard.json'),
      `${JSON.stringify(grafanaJson(dashboard), null, 2)}\n`,
    ]),
  );
}

/** Those that are not what they should be. */
export function staleDashboards(): string[] {
  return [...dashboardFiles()].filter(([file, text]) => readFileSync(file, 'utf8') !== text).map(([file]) => file);
}

export function writeDashboards(): void {
  for (const [file, text] of dashboardFiles()) writeFileSync(file, text);
}
