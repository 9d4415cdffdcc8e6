import { loginProbes } from '@waggle/chain';
import { runNodeCheck } from '@waggle/service/node-check';

runNodeCheck('chat', loginProbes);
