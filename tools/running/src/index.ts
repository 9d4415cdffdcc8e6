export { type SharedChatSettings, logIn, newTokenKey, signAs, startChat } from './chat-instance';
export { fillChatDemo } from './chat-demo';
export { benchAccount, benchPrefix } from './bench-accounts';
export { accountCount, bigAccount, fillDelegations } from './delegation-rows';
export { startDevnet } from './devnet';
export { commitNotifications, fillNotifications } from './notification-rows';
export { OwnProcess, type OwnProcessOptions } from './own-process';
export { exitOnError, explain, PlainError, withUsage } from './plain-error';
export { repositoryFolder } from './repository-folder';
export { onStopRequest, runAndEnd } from './run-and-end';
export { Running, StoppedError } from './running';
export {
  migrateService,
  type ServiceOptions,
  type ServiceProcess,
  startIndexer,
  startService,
} from './service-process';
export { signedLogins } from './signed-logins';
export { median, percentile } from './statistics';
export { markdownTable, textTable } from './table';
