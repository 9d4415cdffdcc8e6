import { local, type Route } from './route';
import { type DefaultsRow, type RouteRow } from './route-file-schema';

/** The targets that a row may name. */
interface Targets {
  readonly backends: ReadonlySet<string>;
  readonly localMethods: readonly string[];
}

interface ResolvedRoute {
  /** Undefined if the defaults are invalid. */
  readonly route: Route | undefined;
  /** Violations of rules over several options. */
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
  const errors = [...targetErrors(name, row.to, targets), ...optionErrors(name, row, to)];
  errors.push(...fallbackErrors(row.fallback, targets.backends));
  if (row.fallback !== undefined && to !== local) errors.push('only a local method has a fallback');
  if (row.methods !== undefined && name.includes('.')) errors.push('only a namespace has methods');
  if (row.methods !== undefined && row.write === true) errors.push('a write has no methods');
  if (to === undefined || defaults === undefined) return { route: undefined, errors };
  const timeoutMs = row.timeout ?? defaults.timeout;
  if (row.write === true) return { route: sendOnceRoute(name, to, timeoutMs, true), errors };
  if (to !== local) return { route: readRoute(name, to, row, defaults), errors };
  const backend = fallbackOf(row, defaults);
  const fallback = backend === undefined ? undefined : readRoute(name, backend, row, defaults);
  return { route: { ...sendOnceRoute(name, to, timeoutMs, false), fallback }, errors };
}

function readRoute(name: string, to: string, row: RouteRow, defaults: DefaultsRow): Route {
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
    ...(row.methods !== undefined && { methods: row.methods }),
  };
}

/** The backend of a local method while the index cannot answer; by default that of the other routes. */
function fallbackOf(row: RouteRow, defaults: DefaultsRow): string | undefined {
  const backend = row.fallback ?? defaults.fallback ?? defaults.to;
  return backend === 'none' || backend === local ? undefined : backend;
}

export function fallbackErrors(fallback: string | undefined, backends: ReadonlySet<string>): string[] {
  return fallback === undefined || fallback === 'none' || backends.has(fallback)
    ? []
    : [`there is no backend ${fallback}`];
}

/** A route without retries, hedging and cache. */
export function sendOnceRoute(name: string, to: string, timeoutMs: number, isWrite: boolean): Route {
  return { name, to, timeoutMs, retries: 0, hedgeMs: undefined, cache: { kind: 'none' }, staleMs: 0, isWrite };
}

/** Whether a method sends a transaction, judging by its name: such a call is sent once whatever the table says. */
export function isBroadcast(method: string): boolean {
  return method.includes('.broadcast_');
}

function targetErrors(name: string, to: string | undefined, { backends, localMethods }: Targets): string[] {
  if (to === undefined) return [];
  if (to !== local) return backends.has(to) ? [] : [`there is no backend ${to}`];
  if (!name.includes('.')) return ['only a method can be local, not a namespace'];
  return localMethods.includes(name) ? [] : ['there is no such local method'];
}

/** Options that would have no effect or do harm. */
function optionErrors(name: string, row: RouteRow, to: string | undefined): string[] {
  const ofReads = (['cache', 'stale', 'retries', 'hedge'] as const).filter((option) => row[option] !== undefined);
  const without = (kind: string) => ofReads.map((option) => `${kind} has no ${option}`);
  if (to === local)
    return [...without('a local method'), ...(row.write === true ? ['a local method is never a write'] : [])];
  if (row.write === true) return without('a write');
  if (isBroadcast(name)) return ['is a write: set write: true'];
  return row.stale !== undefined && row.cache?.kind === 'none' ? ['stale needs a cache'] : [];
}
