import { findAccountsMethod, knownAccount, knownAccountFinding, type Probe, versionMethod, works } from '@waggle/chain';
import { findAccountDetails } from './accounts/account-details';
import { indexerProbes } from './indexer/node-probes';
import { type PathRoute, type Route } from './routes/route';
import { type RouteSettings } from './routes/read-route-file';
import { RouteTable } from './routes/route-table';
import { readChainId } from './snapshot/read-chain-id';
import { apiProbe, forwardedProbes } from './upstream/node-probes';

/** What local methods call of `HIVE_API_NODES`. */
const localProbes: readonly Probe[] = [
  {
    method: findAccountsMethod,
    purpose: 'account data of local methods',
    requiredNodes: 'one',
    consequence: 'bridge.get_profile and get_profiles fail',
    run: async (node) => knownAccountFinding((await findAccountDetails(node, [knownAccount])).get(knownAccount)),
  },
];

const snapshotProbe: Probe = {
  method: versionMethod,
  purpose: 'snapshots',
  requiredNodes: 'one',
  consequence: 'snapshots can be neither exported nor imported',
  run: async (node) => {
    await readChainId(node);
    return works;
  },
};

/** The methods that the processes and commands of the gateway call. */
export const allProbes: readonly Probe[] = [...indexerProbes, snapshotProbe, ...localProbes, ...forwardedProbes];

/**
 * Probes the REST API behind each forwarded path.
 *
 * @param isProbed whether to probe the paths of a backend. A path without its prefix does not name the API
 */
export function apiProbes(paths: readonly PathRoute[], isProbed: (backend: string) => boolean): Probe[] {
  return paths.filter(({ to, stripsPrefix }) => isProbed(to) && !stripsPrefix).map(({ name }) => apiProbe(name));
}

interface NodesAndProbes {
  readonly urls: readonly string[];
  readonly probes: readonly Probe[];
}

/**
 * Returns what the API calls of each set of nodes, by the route table. Backends with the same nodes are one entry;
 * backends whose nodes are no Hive nodes have none.
 */
export function probesByNodes({
  hive,
  routes: { backends, routes, paths },
}: {
  hive: { nodes: string[] };
  routes: RouteSettings;
}): NodesAndProbes[] {
  const table = new RouteTable(routes);
  const byUrls = new Map<string, NodesAndProbes>();
  const add = (urls: readonly string[], probes: readonly Probe[]): void => {
    const key = urls.join();
    byUrls.set(key, { urls, probes: [...(byUrls.get(key)?.probes ?? []), ...probes] });
  };
  add(hive.nodes, localProbes);
  for (const { name, urls } of backends.filter(({ reportsHead }) => reportsHead)) {
    const forwarded = forwardedProbes.filter(({ method }) => goesTo(name, table, method));
    add(urls, [...forwarded, ...apiProbes(paths, (to) => to === name)]);
  }
  return [...byUrls.values()];
}

function goesTo(backend: string, table: RouteTable, method: string): boolean {
  let route: Route;
  try {
    route = table.get(method);
  } catch {
    // The table does not know the method.
    return false;
  }
  return route.to === backend || route.fallback?.to === backend;
}
