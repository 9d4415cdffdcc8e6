export {
  type ChatInstance,
  type SharedChatSettings,
  logIn,
  migrateChat,
  newTokenKey,
  signAs,
  startChat,
} from './chat-instance';
export { fillChatDemo } from './chat-demo';
export { benchAccount, benchPrefix } from './bench-accounts';
export { accountCount, bigAccount, fillDelegations } from './delegation-rows';
export { startDevnet } from './devnet';
export { commitNotifications, fillNotifications } from './notification-rows';
export { OwnProcess } from './own-process';
export { explain, PlainError } from './plain-error';
export { repositoryFolder } from './repository-folder';
export { runAndEnd } from './run-and-end';
export { Running, StoppedError } from './running';
export { migrateService, type ServiceOptions, type ServiceProcess, startService } from './service-process';
export { signedLogins } from './signed-logins';
export { median, percentile } from './statistics';
export { onStopRequest } from './stop-requests';
