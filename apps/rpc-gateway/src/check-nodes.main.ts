import { runNodeCheck } from '@waggle/service/chain';
import { allProbes } from './node-probes';

runNodeCheck('rpc-gateway', allProbes);
