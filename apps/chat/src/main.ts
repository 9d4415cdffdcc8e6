// First, because it instruments the modules that are loaded after it.
import { runService } from '@waggle/service';
import { loginProbes } from '@waggle/chain';
import { logNodeCheck } from '@waggle/service/chain';
import { signatureLoginDependencies } from '@waggle/service/login';
import { createChat } from './app';
import { readConfig } from './config';

/** The chat: REST, WebSockets and the web client. */
runService('chat', {
  readConfig,
  create: createChat,
  dependencies: signatureLoginDependencies,
  onListening: ({ hive }, { logger }) => void logNodeCheck('chat', hive.nodes, loginProbes, logger),
});
