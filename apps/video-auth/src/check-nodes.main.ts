import { loginProbes } from '@waggle/chain';
import { runNodeCheck } from '@waggle/service/chain';

runNodeCheck('video-auth', loginProbes);
