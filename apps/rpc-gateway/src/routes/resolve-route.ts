import { local, type Route } from './route';
import { type DefaultsRow, type RouteRow } from './route-file';

/** What a row may refer to. */
interface Known {
  readonly backends: ReadonlySet<string>;
  readonly localMethods: readonly string[];
}

interface ResolvedRoute {
  /** Undefined where it cannot be told. */
  readonly route: Route | undefined;
  /** Rules over several options, each in a sentence. */
  readonly faults: readonly string[];
}

/** What a row says together with the defaults. Whoever is told its faults mends them all at once. */
export function resolveRoute(
  name: string,
  row: RouteRow,
  defaults: DefaultsRow | undefined,
  known: Known,
): ResolvedRoute {
  const to = row.to ?? defaults?.to;
  const faults = [...faultsOfTarget(name, row.to, known), ...faultsOfOptions(name, row, to)];
  if (row.methods !== undefined && name.includes('.')) faults.push('only a namespace has methods');
  if (row.methods !== undefined && row.write === true) faults.push('a write has no methods');
  if (to === undefined || defaults === undefined) return { route: undefined, faults };
  const timeoutMs = row.timeout ?? defaults.timeout;
  if (to === local || row.write === true) return { route: sentOnce(name, to, timeoutMs, row.write === true), faults };
  const hedge = row.hedge ?? defaults.hedge;
  const route: Route = {
    name,
    to,
    timeoutMs,
    retries: row.retries ?? defaults.retries,
    hedgeMs: hedge === 'none' ? undefined : hedge,
    cache: row.cache ?? defaults.cache,
    staleMs: row.stale ?? 0,
    isWrite: false,
    ...(row.methods !== undefined && { methods: row.methods }),
  };
  return { route, faults };
}

/** A route without retries, hedges and cache. */
export function sentOnce(name: string, to: string, timeoutMs: number, isWrite: boolean): Route {
  return { name, to, timeoutMs, retries: 0, hedgeMs: undefined, cache: { kind: 'none' }, staleMs: 0, isWrite };
}

/** Whether a method gives something to the chain, by its name: such a call is sent once whatever the table says. */
export function isBroadcast(method: string): boolean {
  return method.includes('.broadcast_');
}

function faultsOfTarget(name: string, to: string | undefined, { backends, localMethods }: Known): string[] {
  if (to === undefined) return [];
  if (to !== local) return backends.has(to) ? [] : [`there is no backend ${to}`];
  if (!name.includes('.')) return ['only a method can be local, not a namespace'];
  return localMethods.includes(name) ? [] : ['there is no such local method'];
}

/** Options that would do nothing, or harm. */
function faultsOfOptions(name: string, row: RouteRow, to: string | undefined): string[] {
  const ofReads = (['cache', 'stale', 'retries', 'hedge'] as const).filter((option) => row[option] !== undefined);
  const without = (kind: string) => ofReads.map((option) => `${kind} has no ${option}`);
  if (to === local) return [...without('what is local'), ...(row.write === true ? ['what is local is no write'] : [])];
  if (row.write === true) return without('a write');
  if (isBroadcast(name)) return ['is a write: say write: true'];
  return row.stale !== undefined && row.cache?.kind === 'none' ? ['what is not kept is never stale'] : [];
}
