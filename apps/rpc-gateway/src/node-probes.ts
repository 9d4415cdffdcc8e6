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

/** What any process of the gateway calls, without paths. */
export const allProbes: readonly Probe[] = [...indexerProbes, snapshotProbe, ...localProbes, ...forwardedProbes];

/** Asks for the API of each path that goes to a backend under its own name. */
export function apiProbes(paths: readonly PathRoute[], isOfNodes: (backend: string) => boolean): Probe[] {
  const prefixes = paths.filter(({ to, stripsPrefix }) => isOfNodes(to) && !stripsPrefix).map(({ name }) => name);
  return prefixes.map((prefix) => apiProbe(prefix));
}

interface NodesAndProbes {
  readonly urls: readonly string[];
  readonly probes: readonly Probe[];
}

/**
 * The methods and paths that the API calls, and their nodes, by the route table. Backends with the same nodes are one
 * entry; those that are no Hive nodes have none.
 */
export function probesByNodes({
  hive,
  routes: { backends, routes, paths },
}: {
  hive: { nodes: string[] };
  routes: RouteSettings;
}): NodesAndProbes[] {
  const table = new RouteTable(routes);
  const entries = new Map<string, NodesAndProbes>([[hive.nodes.join(), { urls: hive.nodes, probes: localProbes }]]);
  for (const { name, urls } of backends.filter(({ reportsHead }) => reportsHead)) {
    const forwarded = forwardedProbes.filter(({ method }) => goesTo(name, table, method));
    const own = [...forwarded, ...apiProbes(paths, (to) => to === name)];
    const probes = [...(entries.get(urls.join())?.probes ?? []), ...own];
    entries.set(urls.join(), { urls, probes });
  }
  return [...entries.values()];
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
