// First, because it instruments the modules that are loaded after it.
import { runService } from '@waggle/service';
import { loginProbes } from '@waggle/chain';
import { toVideoAuthErrorBody } from '@waggle/contracts';
import { logNodeCheck } from '@waggle/service/chain';
import { signatureLoginDependencies } from '@waggle/service/login';
import { createVideoAuth } from './app';
import { readConfig } from './config';

/** The video log-in. */
runService('video-auth', {
  readConfig,
  create: createVideoAuth,
  dependencies: signatureLoginDependencies,
  errorBody: toVideoAuthErrorBody,
  onListening: ({ hive }, { logger }) => void logNodeCheck('video-auth', hive.nodes, loginProbes, logger),
});
