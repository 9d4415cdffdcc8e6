import { type RouteSettings } from './read-routes';
import { local, type BackendSettings, type Route } from './route';
import { textOfCacheRule, textOfDuration } from './values';

/** The table with all that the defaults and the environment say: routes, then backends. For people. */
export function printedTable({ backends, routes }: RouteSettings): string {
  const sorted = [...routes].sort((one, other) => (one.name < other.name ? -1 : 1));
  return [
    ...inColumns(['route', 'to', 'timeout', 'cache', 'stale', 'retries', 'hedge', 'write'], sorted.map(cellsOfRoute)),
    '',
    ...inColumns(['backend', 'connections', 'waiting', 'hedges', 'nodes'], backends.map(cellsOfBackend)),
  ].join('\n');
}

function cellsOfRoute({ name, to, timeoutMs, cache, staleMs, retries, hedgeMs, isWrite }: Route): string[] {
  const start = [name, to, textOfDuration(timeoutMs)];
  if (isWrite) return [...start, '', '', '', '', 'once'];
  if (to === local) return start;
  const stale = staleMs === 0 ? '' : textOfDuration(staleMs);
  return [
    ...start,
    textOfCacheRule(cache),
    stale,
    String(retries),
    hedgeMs === undefined ? '' : textOfDuration(hedgeMs),
  ];
}

function cellsOfBackend({ name, urls, connections, waiting, hedgePercent }: BackendSettings): string[] {
  // Host and port: credentials may stand anywhere else in a URL.
  const nodes = urls.map((url) => new URL(url).host).join(', ');
  return [name, String(connections), String(waiting), `${hedgePercent}%`, nodes === '' ? '(not set here)' : nodes];
}

function inColumns(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const table = [heads, ...rows];
  const widths = heads.map((_head, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
