import { formatTextTable } from '@waggle/service';
import { type RouteSettings } from './read-route-file';
import { local, type BackendSettings, type Route } from './route';
import { formatCacheRule, formatDuration } from './option-values';

/** Formats the resolved routes and the backends as two text tables, for `check-config`. */
export function formatRouteTable({ backends, routes, paths }: RouteSettings): string {
  const sorted = [...routes, ...paths].sort((one, other) => (one.name < other.name ? -1 : 1));
  return [
    ...formatTextTable(
      ['route', 'to', 'timeout', 'cache', 'stale', 'retries', 'hedge', 'write', 'fallback'],
      sorted.map(cellsOfRoute),
    ),
    '',
    ...formatTextTable(['backend', 'connections', 'waiting', 'hedges', 'nodes'], backends.map(cellsOfBackend)),
  ].join('\n');
}

function cellsOfRoute({ name, to, fallback, timeoutMs, cache, staleMs, retries, hedgeMs, isWrite }: Route): string[] {
  const start = [name, to, formatDuration(timeoutMs)];
  if (isWrite) return [...start, '', '', '', '', 'once'];
  if (to === local) return [...start, '', '', '', '', '', fallback?.to ?? 'none'];
  const stale = staleMs === 0 ? '' : formatDuration(staleMs);
  return [
    ...start,
    formatCacheRule(cache),
    stale,
    String(retries),
    hedgeMs === undefined ? '' : formatDuration(hedgeMs),
  ];
}

function cellsOfBackend({ name, urls, connections, maxQueued, hedgePercent }: BackendSettings): string[] {
  // Only host and port: credentials may be anywhere else in a URL.
  const nodes = urls.map((url) => new URL(url).host).join(', ');
  return [name, String(connections), String(maxQueued), `${hedgePercent}%`, nodes === '' ? '(not set here)' : nodes];
}
