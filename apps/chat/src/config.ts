import { accountName, defaultChatLimits, reauthenticationNoticeMs, type ChatLimits } from '@waggle/contracts';
import {
  clientLimits,
  commaSeparated,
  fileContent,
  type HttpConfig,
  httpOf,
  loadConfiguration,
  type LogLevel,
  origins,
  type RequestLimit,
  ruleOver,
  secondsAsMs,
  serviceEnvironment,
  wholeNumber,
} from '@waggle/service';
import {
  type LoginLimitSettings,
  type SignatureLoginConfig,
  signatureLoginOf,
  signatureLoginVariables,
} from '@waggle/service/login';
import { z } from 'zod';
import { type ConversationSettings } from './membership/conversation-settings';
import { type MessagesSettings } from './messages/messages-settings';
import { authenticationDeadlineDefaultSeconds, type RealtimeSettings } from './realtime/realtime-settings';
import { defaultSlowClientLimits } from './realtime/slow-client-limits';
import { type RetentionSettings } from './retention/retention.service';
import { type SearchSettings } from './search/search-settings';
import { type SessionSettings } from './sessions/session-settings';
import { isTokenPrivateKey } from './sessions/token-key';
import { type DevnetAccount } from './web/devnet-accounts';
import { type WebClientSettings } from './web/web-client';

/**
 * Ten years. More than the 24 days of a timer, because no timer waits for a refresh token or a `ws_token` to expire.
 */
const maxTokenSeconds = 10 * 365 * 24 * 60 * 60;

/** The defaults of the settings `…_PER_MINUTE`. */
export const defaultRateLimits = { logins: 60, accountLogins: 10, requests: 1_200, connections: 120 };

/** A hundred years: subtracted from now, it is well within the range of PostgreSQL's times. */
const maxRetentionDays = 36_500;

/** Cookies are Secure unless the base URL is http. */
const isSecure = (baseUrl: string | undefined) => baseUrl === undefined || new URL(baseUrl).protocol === 'https:';

/** The origins whose pages may use a user's cookies. */
const cookieOriginsOf = ({ CORS_ORIGINS, BASE_URL }: { CORS_ORIGINS: string[]; BASE_URL?: string | undefined }) =>
  BASE_URL === undefined ? CORS_ORIGINS : [...CORS_ORIGINS, new URL(BASE_URL).origin];

/** `alice=5K…`: a name and its posting key. */
const devnetAccount = z
  .string()
  .regex(/^[a-z][a-z0-9.-]+=5[1-9A-HJ-NP-Za-km-z]{50}$/, 'must list accounts as name=posting key')
  .transform((entry): DevnetAccount => {
    const [name = '', posting = ''] = entry.split('=');
    return { name, posting };
  });

/** A URL of something that each account has, such as its profile. */
const addressOfAccount = z
  .url({ protocol: /^https$/ })
  .refine((text) => text.includes('{account}'), 'must have {account} in place of the name');

/** The address of each account's picture. Its origin is an image source in the page's Content-Security-Policy. */
const avatarAddress = addressOfAccount.refine(
  (text) => !URL.canParse(text) || !new URL(text).host.includes('{account}'),
  'must have {account} after the host, which the page allows images of',
);

/** A host of the internet, such as `images.hive.blog`: no address, and no name of a private network. */
const publicHost = z
  .string()
  .refine(
    (host) =>
      /^[a-z0-9.-]+\.[a-z][a-z0-9-]*(:\d+)?$/.test(host) &&
      !/\.(local|localhost|internal|arpa)(:\d+)?$/.test(host) &&
      URL.canParse(`https://${host}`) &&
      new URL(`https://${host}`).host === host,
    'must list public hosts such as images.hive.blog, with a port unless it is 443',
  );

/**
 * Every variable that the chat reads; `.env.example` documents them. `…_SECONDS` variables are parsed to milliseconds,
 * `…_FILE` variables to the content of the file.
 */
export const chatEnvironment = serviceEnvironment
  .extend({
    PORT: wholeNumber({ max: 65_535 }).default(3_000),
    CLIENT_LIMITS: clientLimits({
      'account-logins-per-minute': 1,
      'connections-per-minute': 1,
      'logins-per-minute': 1,
      'requests-per-minute': 1,
      'response-megabytes-per-minute': 1,
    }),
    ...signatureLoginVariables('waggle:chat:'),
    TRUSTED_ACCOUNTS: commaSeparated(accountName).default([]),
    BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    BEARER_ORIGINS: origins.default([]),
    COOKIE_SAME_SITE: z.enum(['lax', 'strict', 'none']).default('lax'),
    ADMINS: commaSeparated(accountName).default([]),
    TOKEN_PRIVATE_KEY: z.string().refine(isTokenPrivateKey, 'must be a PEM private key on the curve P-256').optional(),
    TOKEN_PRIVATE_KEY_FILE: fileContent
      .refine(isTokenPrivateKey, 'must name a file with a PEM private key on the curve P-256')
      .optional(),
    ACCESS_TOKEN_SECONDS: secondsAsMs({ defaultSeconds: 15 * 60 }),
    WEBSOCKET_TOKEN_SECONDS: secondsAsMs({ defaultSeconds: 24 * 60 * 60, maxSeconds: maxTokenSeconds }),
    REFRESH_TOKEN_SECONDS: secondsAsMs({ defaultSeconds: 90 * 24 * 60 * 60, maxSeconds: maxTokenSeconds }),
    AUTHENTICATION_DEADLINE_SECONDS: secondsAsMs({ defaultSeconds: authenticationDeadlineDefaultSeconds }),
    MESSAGE_MAX_CHARACTERS: wholeNumber({ min: 1 }).default(defaultChatLimits.messageCharacters),
    NAME_MAX_CHARACTERS: wholeNumber({ min: 1 }).default(defaultChatLimits.nameCharacters),
    GROUP_MAX_MEMBERS: wholeNumber({ min: 2 }).default(defaultChatLimits.groupMembers),
    FRAME_MAX_BYTES: wholeNumber({ min: 1_024 }).default(defaultChatLimits.frameBytes),
    MESSAGE_EDIT_HOURS: wholeNumber({ min: 0, max: maxRetentionDays * 24 }).default(24),
    MESSAGE_REVISIONS: z.enum(['on', 'off']).default('on'),
    ATTACHMENT_HOSTS: commaSeparated(publicHost).default([]),
    GROUP_RECEIPTS_MAX_MEMBERS: wholeNumber({ min: 0, max: 250 }).default(50),
    SEARCH: z.enum(['on', 'off']).default('on'),
    SEARCH_INDEX_PERCENT: wholeNumber({ min: 1, max: 100 }).default(10),
    MESSAGE_RETENTION_DAYS: wholeNumber({ min: 1, max: maxRetentionDays }).optional(),
    LOGINS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.logins),
    ACCOUNT_LOGINS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.accountLogins),
    REQUESTS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.requests),
    CONNECTIONS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.connections),
    CONNECTIONS_PER_ACCOUNT: wholeNumber({ min: 1 }).default(100),
    FRAMES_PER_SECOND: wholeNumber({ min: 1 }).default(100),
    FRAMES_BURST: wholeNumber({ min: 1 }).default(500),
    WEB_CLIENT: z.enum(['on', 'off']).default('on'),
    WEB_CLIENT_FRAME_ORIGINS: origins.default([]),
    WEB_CLIENT_CONNECT_ORIGINS: origins.default(['wss://hive-auth.arcange.eu']),
    WEB_CLIENT_NAME: z.string().trim().min(1).max(40).optional(),
    WEB_CLIENT_LOGO: z.url({ protocol: /^https$/ }).optional(),
    WEB_CLIENT_ACCENT: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #f2a60d')
      .optional(),
    WEB_CLIENT_AVATARS: avatarAddress.optional(),
    WEB_CLIENT_IMAGE_HOST: publicHost.optional(),
    WEB_CLIENT_PROFILES: addressOfAccount.default('https://hive.blog/@{account}'),
    DEVNET_ACCOUNTS: commaSeparated(devnetAccount).default([]),
  })
  .refine(
    ({ COOKIE_SAME_SITE, BASE_URL }) => COOKIE_SAME_SITE !== 'none' || isSecure(BASE_URL),
    ruleOver(
      ['COOKIE_SAME_SITE', 'BASE_URL'],
      'must not be none unless BASE_URL is https: browsers would drop the cookies',
    ),
  )
  .refine(
    (env) => !env.BEARER_ORIGINS.some((origin) => cookieOriginsOf(env).includes(origin)),
    ruleOver(
      ['BEARER_ORIGINS', 'CORS_ORIGINS', 'BASE_URL'],
      'must not list an origin of CORS_ORIGINS, or that of BASE_URL',
    ),
  )
  .refine(
    ({ WEB_CLIENT_IMAGE_HOST: host, ATTACHMENT_HOSTS }) => host === undefined || ATTACHMENT_HOSTS.includes(host),
    ruleOver(['WEB_CLIENT_IMAGE_HOST', 'ATTACHMENT_HOSTS'], 'must be one of ATTACHMENT_HOSTS'),
  )
  .refine(
    (env) => env.TOKEN_PRIVATE_KEY === undefined || env.TOKEN_PRIVATE_KEY_FILE === undefined,
    ruleOver(['TOKEN_PRIVATE_KEY', 'TOKEN_PRIVATE_KEY_FILE'], 'must not be set together with TOKEN_PRIVATE_KEY_FILE'),
  );

/** The settings of one chat instance, in the units of their names. */
export interface ChatConfig extends SignatureLoginConfig, SessionSettings, RealtimeSettings, ConversationSettings {
  http: HttpConfig;
  logLevel: LogLevel;
  realtime: RealtimeSettings['realtime'] & SessionSettings['realtime'];
  limits: ChatLimits;
  admins: string[];
  messages: MessagesSettings;
  search: SearchSettings;
  retention: RetentionSettings;
  /** The limits of a client in each period. */
  rateLimits: LoginLimitSettings & RequestLimit & { connections: number };
  /** The settings of the chat page; undefined if no page is served. */
  webClient: WebClientSettings | undefined;
}

/** @throws ConfigurationError naming every bad or missing variable. */
export function readConfig(environment: Record<string, string | undefined>): ChatConfig {
  const env = loadConfiguration(chatEnvironment, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    ...signatureLoginOf(env),
    cookies: {
      secure: isSecure(env.BASE_URL),
      sameSite: env.COOKIE_SAME_SITE,
      origins: cookieOriginsOf(env),
      bearerOrigins: env.BEARER_ORIGINS,
    },
    tokens: {
      privateKeyPem: env.TOKEN_PRIVATE_KEY_FILE ?? env.TOKEN_PRIVATE_KEY,
      accessMs: env.ACCESS_TOKEN_SECONDS,
      websocketMs: env.WEBSOCKET_TOKEN_SECONDS,
      refreshMs: env.REFRESH_TOKEN_SECONDS,
    },
    admins: env.ADMINS,
    realtime: {
      authenticationDeadlineMs: env.AUTHENTICATION_DEADLINE_SECONDS,
      reauthenticationNoticeMs,
      slowClients: defaultSlowClientLimits,
    },
    limits: {
      messageCharacters: env.MESSAGE_MAX_CHARACTERS,
      nameCharacters: env.NAME_MAX_CHARACTERS,
      groupMembers: env.GROUP_MAX_MEMBERS,
      frameBytes: env.FRAME_MAX_BYTES,
    },
    messages: {
      editWindowMs: env.MESSAGE_EDIT_HOURS * 60 * 60_000,
      keepsRevisions: env.MESSAGE_REVISIONS === 'on',
      receiptMembers: env.GROUP_RECEIPTS_MAX_MEMBERS,
      attachmentHosts: env.ATTACHMENT_HOSTS,
    },
    search: { isOn: env.SEARCH === 'on', indexPercent: env.SEARCH_INDEX_PERCENT },
    retention: { messageDays: env.MESSAGE_RETENTION_DAYS },
    rateLimits: {
      periodSeconds: 60,
      logins: env.LOGINS_PER_MINUTE,
      accountLogins: env.ACCOUNT_LOGINS_PER_MINUTE,
      requests: env.REQUESTS_PER_MINUTE,
      connections: env.CONNECTIONS_PER_MINUTE,
    },
    webClient:
      env.WEB_CLIENT === 'off'
        ? undefined
        : {
            frameOrigins: env.WEB_CLIENT_FRAME_ORIGINS,
            connectOrigins: env.WEB_CLIENT_CONNECT_ORIGINS,
            brand: { name: env.WEB_CLIENT_NAME, logo: env.WEB_CLIENT_LOGO, accent: env.WEB_CLIENT_ACCENT },
            avatars: env.WEB_CLIENT_AVATARS,
            profiles: env.WEB_CLIENT_PROFILES,
            attachmentHosts: env.ATTACHMENT_HOSTS,
            imageHost: env.WEB_CLIENT_IMAGE_HOST,
            search: env.SEARCH === 'on',
            devnetAccounts: env.DEVNET_ACCOUNTS,
          },
    accountLimits: {
      connections: env.CONNECTIONS_PER_ACCOUNT,
      frames: { perSecond: env.FRAMES_PER_SECOND, burst: env.FRAMES_BURST },
    },
  };
}
