import { isBroadcast, isMethodName, local, type PathRoute, type Route, singleAttemptRoute } from './route';
import { type DefaultsRow, pathPrefix, type PathRow, type RouteRow } from './route-file-schema';

/** The targets that a row may name. */
interface Targets {
  readonly backends: ReadonlySet<string>;
  readonly localMethods: readonly string[];
}

interface ResolvedRoute {
  /** The route; undefined if `defaults` is, because they did not parse. Errors are still reported. */
  readonly route: Route | undefined;
  /** Unknown targets, and options that contradict the name or each other. */
  readonly errors: readonly string[];
}

/** Completes a row with the defaults, and checks it. */
export function resolveRoute(
  name: string,
  row: RouteRow,
  defaults: DefaultsRow | undefined,
  targets: Targets,
): ResolvedRoute {
  const to = row.to ?? defaults?.to;
  const errors = [...targetErrors(name, row.to, targets), ...optionErrors(name, row, to, defaults)];
  errors.push(...fallbackErrors(row.fallback, targets.backends));
  if (row.fallback !== undefined && to !== local) errors.push('only a local method has a fallback');
  if (row.methods !== undefined && isMethodName(name)) errors.push('only a namespace has methods');
  if (row.methods !== undefined && row.write === true) errors.push('a write has no methods');
  if (to === undefined || defaults === undefined) return { route: undefined, errors };
  const timeoutMs = row.timeout ?? defaults.timeout;
  if (row.write === true) return { route: singleAttemptRoute(name, to, timeoutMs, true), errors };
  if (to !== local) return { route: routeForReads(name, to, row, defaults), errors };
  const backend = fallbackOf(row, defaults);
  const fallback = backend === undefined ? undefined : routeForReads(name, backend, row, defaults);
  return { route: { ...singleAttemptRoute(name, to, timeoutMs, false), fallback }, errors };
}

/** Completes a row for paths with the defaults, and checks it. */
export function resolvePath(
  name: string,
  row: PathRow,
  defaults: DefaultsRow | undefined,
  { backends, localMethods }: Targets,
): { readonly route: PathRoute | undefined; readonly errors: readonly string[] } {
  const to = row.to ?? defaults?.to;
  const errors = [...fallbackErrors(row.fallback, backends)];
  if (to === local) {
    if (!name.startsWith('/') || !localMethods.includes(name)) errors.push('there is no such local path');
    if (row['strip-prefix'] !== undefined) errors.push('a local path has no strip-prefix');
  } else {
    errors.push(...(pathPrefix.safeParse(name).error?.issues ?? []).map(({ message }) => message));
    if (row.to !== undefined && !backends.has(row.to)) errors.push(`there is no backend ${row.to}`);
    if (row.fallback !== undefined) errors.push('only a local path has a fallback');
    if (row.stale !== undefined && (row.cache ?? defaults?.cache)?.kind === 'none') errors.push('stale needs a cache');
  }
  if (to === undefined || defaults === undefined) return { route: undefined, errors };
  const backend = to === local ? fallbackOf(row, defaults) : to;
  const forwarded = backend === undefined ? undefined : routeForReads(name, backend, row, defaults);
  const stripsPrefix = row['strip-prefix'] ?? false;
  if (to !== local && forwarded !== undefined) return { route: { ...forwarded, stripsPrefix }, errors };
  const timeoutMs = row.timeout ?? defaults.timeout;
  return { route: { ...singleAttemptRoute(name, to, timeoutMs, false), fallback: forwarded, stripsPrefix }, errors };
}

function routeForReads(name: string, to: string, row: RouteRow | PathRow, defaults: DefaultsRow): Route {
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
  return row.stale !== undefined && (row.cache ?? defaults?.cache)?.kind === 'none' ? ['stale needs a cache'] : [];
}
