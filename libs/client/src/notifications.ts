// The gateway's notifications, for all platforms.
export { type BackoffOptions } from './backoff';
export { RejectedError, UnreachableError } from './errors';
export {
  type Notification,
  type NotificationEvents,
  NotificationStream,
  type NotificationStreamOptions,
} from './notifications/notification-stream';
