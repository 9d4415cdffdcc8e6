import { accountName, defaultChatLimits, reauthenticationNoticeMs, type ChatLimits } from '@waggle/contracts';
import {
  commaSeparated,
  ConfigurationError,
  databaseUrl,
  fileContent,
  hiveApiNodes,
  loadConfiguration,
  redisUrl,
  serviceEnvironment,
  wholeNumber,
} from '@waggle/service';
import { z } from 'zod';

const seconds = (byDefault: number) =>
  wholeNumber({ least: 1 })
    .transform((value) => value * 1_000)
    .default(byDefault * 1_000);

/** Every variable that the chat reads; `.env.example` documents them. */
export const chatEnvironment = serviceEnvironment.extend({
  PORT: wholeNumber({ most: 65_535 }).default(3_000),
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: wholeNumber({ least: 2, most: 1_000 }).default(10),
  REDIS_URL: redisUrl.optional(),
  HIVE_API_NODES: hiveApiNodes,
  AUTHORITY_CACHE_SECONDS: seconds(60),
  TRUSTED_ACCOUNTS: commaSeparated(accountName).default([]),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  COOKIE_SAME_SITE: z.enum(['lax', 'strict', 'none']).default('lax'),
  ADMINS: commaSeparated(accountName).default([]),
  TOKEN_PRIVATE_KEY: z.string().optional(),
  TOKEN_PRIVATE_KEY_FILE: fileContent.optional(),
  ACCESS_TOKEN_SECONDS: seconds(15 * 60),
  REFRESH_TOKEN_SECONDS: seconds(90 * 24 * 60 * 60),
  LOGIN_MAX_AGE_SECONDS: seconds(5 * 60),
  LOGIN_MAX_AHEAD_SECONDS: seconds(60),
  AUTHENTICATION_DEADLINE_SECONDS: seconds(10),
  MESSAGE_MAX_CHARACTERS: wholeNumber({ least: 1 }).default(defaultChatLimits.messageCharacters),
  NAME_MAX_CHARACTERS: wholeNumber({ least: 1 }).default(defaultChatLimits.nameCharacters),
  GROUP_MAX_MEMBERS: wholeNumber({ least: 2 }).default(defaultChatLimits.groupMembers),
  FRAME_MAX_BYTES: wholeNumber({ least: 1_024 }).default(defaultChatLimits.frameBytes),
});

/** The settings of one chat instance, in the units that their names say. */
export interface ChatConfig {
  http: { host: string; port: number; corsOrigins: string[]; trustedProxies: string[] };
  logLevel: z.infer<typeof chatEnvironment>['LOG_LEVEL'];
  database: { url: string; poolSize: number };
  redisUrl: string | undefined;
  hive: { nodes: string[]; authorityCacheMs: number; trustedAccounts: string[] };
  /** `origins`: those whose pages may use a user's cookies. */
  cookies: { secure: boolean; sameSite: 'lax' | 'strict' | 'none'; origins: string[] };
  tokens: { privateKeyPem: string | undefined; accessMs: number; refreshMs: number };
  login: { maxAgeMs: number; maxAheadMs: number; admins: string[] };
  realtime: { authenticationDeadlineMs: number; reauthenticationNoticeMs: number };
  limits: ChatLimits;
}

/** @throws ConfigurationError naming every bad or missing variable. */
export function readConfig(environment: Record<string, string | undefined>): ChatConfig {
  const env = loadConfiguration(chatEnvironment, environment);
  const secure = env.BASE_URL === undefined || env.BASE_URL.startsWith('https:');
  if (env.COOKIE_SAME_SITE === 'none' && !secure) {
    throw new ConfigurationError(['COOKIE_SAME_SITE: none needs https in BASE_URL; browsers drop such cookies else']);
  }
  return {
    http: { host: env.HOST, port: env.PORT, corsOrigins: env.CORS_ORIGINS, trustedProxies: env.TRUSTED_PROXIES },
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    redisUrl: env.REDIS_URL,
    hive: {
      nodes: env.HIVE_API_NODES,
      authorityCacheMs: env.AUTHORITY_CACHE_SECONDS,
      trustedAccounts: env.TRUSTED_ACCOUNTS,
    },
    cookies: {
      secure,
      sameSite: env.COOKIE_SAME_SITE,
      origins: [...env.CORS_ORIGINS, ...(env.BASE_URL === undefined ? [] : [new URL(env.BASE_URL).origin])],
    },
    tokens: {
      privateKeyPem: env.TOKEN_PRIVATE_KEY_FILE ?? env.TOKEN_PRIVATE_KEY,
      accessMs: env.ACCESS_TOKEN_SECONDS,
      refreshMs: env.REFRESH_TOKEN_SECONDS,
    },
    login: { maxAgeMs: env.LOGIN_MAX_AGE_SECONDS, maxAheadMs: env.LOGIN_MAX_AHEAD_SECONDS, admins: env.ADMINS },
    realtime: { authenticationDeadlineMs: env.AUTHENTICATION_DEADLINE_SECONDS, reauthenticationNoticeMs },
    limits: {
      messageCharacters: env.MESSAGE_MAX_CHARACTERS,
      nameCharacters: env.NAME_MAX_CHARACTERS,
      groupMembers: env.GROUP_MAX_MEMBERS,
      frameBytes: env.FRAME_MAX_BYTES,
    },
  };
}

/** Injects the `ChatConfig`. */
export const CHAT_CONFIG = Symbol('ChatConfig');
