import { isBroadcast, isMethodName, local, type PathRoute, type Route, singleAttemptRoute } from './route';
import { type DefaultsRow, pathPrefix, type PathRow, type RouteRow } from './route-file-schema';

/** The targets that a row may name. */
interface Targets {
  readonly backends: ReadonlySet<string>;
  readonly localMethods: readonly string[];
}

interface Resolved<Completed extends Route> {
  /** Undefined if `defaults` is, because they did not parse. Errors are still reported. */
  readonly route: Completed | undefined;
  /** Unknown targets, and options that contradict the name or each other. */
  readonly errors: readonly string[];
}

/** Completes a row with the defaults, and checks it. */
export function resolveRoute(
  name: string,
  row: RouteRow,
  defaults: DefaultsRow | undefined,
  targets: Targets,
): Resolved<Route> {
  const to = row.to ?? defaults?.to;
  const errors = routeErrors(name, row, to, defaults, targets);
  if (to === undefined || defaults === undefined) return { route: undefined, errors };
  const route =
    row.write === true
      ? singleAttemptRoute(name, to, row.timeout ?? defaults.timeout, true)
      : completeRead(name, to, row, defaults);
  return { route, errors };
}

/** Completes a row for paths with the defaults, and checks it. */
export function resolvePath(
  name: string,
  row: PathRow,
  defaults: DefaultsRow | undefined,
  targets: Targets,
): Resolved<PathRoute> {
  const to = row.to ?? defaults?.to;
  const errors = [
    ...fallbackErrors(row.fallback, targets.backends),
    ...(to === local ? localPathErrors(name, row, targets) : forwardedPathErrors(name, row, defaults, targets)),
  ];
  if (to === undefined || defaults === undefined) return { route: undefined, errors };
  const stripsPrefix = row['strip-prefix'] ?? false;
  return { route: { ...completeRead(name, to, row, defaults), stripsPrefix }, errors };
}

function completeRead(name: string, to: string, row: RouteRow | PathRow, defaults: DefaultsRow): Route {
  if (to !== local) return forwardedRead(name, to, row, defaults);
  const backend = fallbackOf(row, defaults);
  const fallback = backend === undefined ? undefined : forwardedRead(name, backend, row, defaults);
  return { ...singleAttemptRoute(name, local, row.timeout ?? defaults.timeout, false), fallback };
}

function forwardedRead(name: string, to: string, row: RouteRow | PathRow, defaults: DefaultsRow): Route {
  const hedge = row.hedge ?? defaults.hedge;
  return {
    name,
    to,
    timeoutMs: row.timeout ?? defaults.timeout,
    retries: row.retries ?? defaults.retries,
    hedgeMs: hedge === 'none' ? undefined : hedge,
    cache: row.cache ?? defaults.cache,
    staleMs: row.stale ?? 0,
    isWrite: false,
    ...('methods' in row && row.methods !== undefined && { methods: row.methods }),
  };
}

/**
 * The backend that answers for a local method while the index cannot: `fallback` of the row, otherwise of the defaults,
 * otherwise `defaults.to`. Undefined for `none`.
 */
function fallbackOf(row: Pick<RouteRow, 'fallback'>, defaults: DefaultsRow): string | undefined {
  const backend = row.fallback ?? defaults.fallback ?? defaults.to;
  return backend === 'none' ? undefined : backend;
}

function routeErrors(
  name: string,
  row: RouteRow,
  to: string | undefined,
  defaults: DefaultsRow | undefined,
  targets: Targets,
): string[] {
  const errors = [...targetErrors(name, row.to, targets), ...optionErrors(name, row, to, defaults)];
  errors.push(...fallbackErrors(row.fallback, targets.backends));
  if (row.fallback !== undefined && to !== local) errors.push('only a local method has a fallback');
  if (row.methods !== undefined && isMethodName(name)) errors.push('only a namespace has methods');
  if (row.methods !== undefined && row.write === true) errors.push('a write has no methods');
  return errors;
}

function localPathErrors(name: string, row: PathRow, { localMethods }: Targets): string[] {
  const errors: string[] = [];
  if (!name.startsWith('/') || !localMethods.includes(name)) errors.push('there is no such local path');
  if (row['strip-prefix'] !== undefined) errors.push('a local path has no strip-prefix');
  return errors;
}

function forwardedPathErrors(
  name: string,
  row: PathRow,
  defaults: DefaultsRow | undefined,
  { backends }: Targets,
): string[] {
  const errors = (pathPrefix.safeParse(name).error?.issues ?? []).map(({ message }) => message);
  if (row.to !== undefined && !backends.has(row.to)) errors.push(`there is no backend ${row.to}`);
  if (row.fallback !== undefined) errors.push('only a local path has a fallback');
  return [...errors, ...staleErrors(row, defaults)];
}

export function fallbackErrors(fallback: string | undefined, backends: ReadonlySet<string>): string[] {
  return fallback === undefined || fallback === 'none' || backends.has(fallback)
    ? []
    : [`there is no backend ${fallback}`];
}

function targetErrors(name: string, to: string | undefined, { backends, localMethods }: Targets): string[] {
  if (to === undefined) return [];
  if (to !== local) return backends.has(to) ? [] : [`there is no backend ${to}`];
  if (!isMethodName(name)) return ['only a method can be local, not a namespace'];
  return localMethods.includes(name) ? [] : ['there is no such local method'];
}

/** Options that contradict the kind of route, and a broadcast not marked as a write. */
function optionErrors(
  name: string,
  row: RouteRow,
  to: string | undefined,
  defaults: DefaultsRow | undefined,
): string[] {
  const readOptions = (['cache', 'stale', 'retries', 'hedge'] as const).filter((option) => row[option] !== undefined);
  const rejectReadOptions = (kind: string) => readOptions.map((option) => `${kind} has no ${option}`);
  if (to === local)
    return [...rejectReadOptions('a local method'), ...(row.write === true ? ['a local method is never a write'] : [])];
  if (row.write === true) return rejectReadOptions('a write');
  if (isBroadcast(name)) return ['is a write: set write: true'];
  return staleErrors(row, defaults);
}

function staleErrors(row: RouteRow | PathRow, defaults: DefaultsRow | undefined): string[] {
  const cache = row.cache ?? defaults?.cache;
  return row.stale !== undefined && cache?.kind === 'none' ? ['stale needs a cache'] : [];
}
