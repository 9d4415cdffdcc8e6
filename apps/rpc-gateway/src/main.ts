import { runService } from '@waggle/service';
import { logNodeCheck } from '@waggle/service/chain';
import { createGateway } from './app';
import { readApiConfig } from './config';
import { probesByNodes } from './node-probes';

/** The API: serves calls from the index, the cache or a Hive node. */
runService('rpc-gateway', {
  readConfig: readApiConfig,
  create: createGateway,
  onListening: (config, { logger }) => {
    for (const { urls, probes } of probesByNodes(config)) void logNodeCheck('rpc-gateway', urls, probes, logger);
  },
});
