import { loginProbes } from '@waggle/chain';
import { runNodeCheck } from '@waggle/service/node-check';

runNodeCheck('video-auth', loginProbes);
