import { runNodeCheck } from '@waggle/service/node-check';
import { allProbes } from './node-probes';

runNodeCheck('rpc-gateway', allProbes);
