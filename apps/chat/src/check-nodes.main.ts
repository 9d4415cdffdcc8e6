import { loginProbes } from '@waggle/chain';
import { runNodeCheck } from '@waggle/service/chain';

runNodeCheck('chat', loginProbes);
