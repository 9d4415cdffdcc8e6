/**
 * The limits that clients may have of their own, by the names of their settings in lower case. They count by client;
 * each service has some of them.
 */
export const clientLimitNames = [
  'account-logins-per-minute',
  'calls-at-once',
  'calls-per-minute',
  'checks-per-minute',
  'connections-per-minute',
  'event-streams-per-address',
  'logins-per-minute',
  'past-requests-at-once',
  'requests-per-minute',
  'response-megabytes-per-minute',
] as const;
export type ClientLimitName = (typeof clientLimitNames)[number];

/** The limits that an error may name: also limits that are the same for all clients, with or without a setting. */
export type LimitName =
  | ClientLimitName
  | 'authentications-at-once'
  | 'event-accounts-per-address'
  | 'exports-per-account'
  | 'exports-per-address'
  | 'frames-per-second'
  | 'lists-at-once'
  | 'response-memory-megabytes';
