import { loadConfiguration } from '@waggle/service';
import { runNodeCheck } from '@waggle/service/node-check';
import { z } from 'zod';
import { localMethodNames as localMethods } from './local/local-methods';
import { allProbes, apiProbes } from './node-probes';
import { routeFileSetting } from './routes/route-file-setting';

/** Checks which of the methods and paths that the gateway calls are served by the given nodes. */
runNodeCheck('rpc-gateway', () => {
  const ROUTES_FILE = routeFileSetting({ environment: process.env, localMethods, mayLackNodes: true });
  const { backends, paths } = loadConfiguration(z.object({ ROUTES_FILE }), process.env).ROUTES_FILE;
  const hiveNodes = new Set(backends.filter(({ reportsHead }) => reportsHead).map(({ name }) => name));
  return [...allProbes, ...apiProbes(paths, (to) => hiveNodes.has(to))];
});
