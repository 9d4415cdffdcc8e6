import { accountName } from '@waggle/contracts';
import {
  clientLimits,
  commaSeparated,
  fileContent,
  type HttpConfig,
  httpOf,
  loadConfiguration,
  type LogLevel,
  ruleOver,
  secondsAsMs,
  serviceEnvironment,
  wholeNumber,
} from '@waggle/service';
import { type SignatureLoginConfig, signatureLoginOf, signatureLoginVariables } from '@waggle/service/chain';
import { z } from 'zod';
import { defaultRateLimits } from './rate-limits/rate-limits';
import { isKeyDocument } from './tokens/key-document';

/** Ten years. Not limited by timers, because none waits for a token to expire. */
const maxTokenSeconds = 10 * 365 * 24 * 60 * 60;

/** Long enough that users need not log in daily; services that verify tokens by themselves trust them for this time. */
export const tokenDefaultSeconds = 7 * 24 * 60 * 60;

const keyDocumentDescription = 'a set of token keys, as `keys.main.js make` writes it';

/** Every variable that the video log-in reads; `.env.example` documents them. `…_SECONDS` variables are parsed to milliseconds. */
export const videoAuthEnvironment = serviceEnvironment
  .extend({
    PORT: wholeNumber({ max: 65_535 }).default(3_002),
    CLIENT_LIMITS: clientLimits({
      'account-logins-per-minute': 1,
      'checks-per-minute': 1,
      'logins-per-minute': 1,
      'requests-per-minute': 1,
      'response-megabytes-per-minute': 1,
    }),
    ...signatureLoginVariables('waggle:video-auth:'),
    TRUSTED_ACCOUNTS: commaSeparated(accountName).default([]),
    BASE_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3002'),
    TOKEN_KEYS: z.string().refine(isKeyDocument, `must be ${keyDocumentDescription}`).optional(),
    TOKEN_KEYS_FILE: z
      .string()
      .superRefine((path, context) => {
        const content = fileContent.safeParse(path);
        if (!content.success) context.addIssue('must name a readable file');
        else if (!isKeyDocument(content.data)) context.addIssue(`must name a file with ${keyDocumentDescription}`);
      })
      .optional(),
    TOKEN_KEYS_RELOAD_SECONDS: secondsAsMs({ defaultSeconds: 10 }),
    TOKEN_ISSUER: z.string().min(1).default('waggle-video-auth'),
    TOKEN_AUDIENCE: z.string().min(1).default('waggle-video'),
    TOKEN_SECONDS: secondsAsMs({ defaultSeconds: tokenDefaultSeconds, maxSeconds: maxTokenSeconds }),
    REQUIRE_CHALLENGE: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
    LOGINS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.logins),
    ACCOUNT_LOGINS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.accountLogins),
    CHECKS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.checks),
    REQUESTS_PER_MINUTE: wholeNumber({ min: 1 }).default(defaultRateLimits.requests),
  })
  .refine(
    (env) => env.TOKEN_KEYS === undefined || env.TOKEN_KEYS_FILE === undefined,
    ruleOver(['TOKEN_KEYS', 'TOKEN_KEYS_FILE'], 'must not be set beside TOKEN_KEYS_FILE'),
  );

/** The source of the signing keys; without one a key is generated for the process. */
export type KeySource = { file: string; reloadMs: number } | { text: string };

/** The settings of an instance, in the units of their names. `login.maxAgeMs` is also the lifetime of a challenge. */
export interface VideoAuthConfig extends SignatureLoginConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  tokens: { keys: KeySource | undefined; issuer: string; audience: string; lifetimeMs: number };
  /** `domain`: the domain that challenges and payloads name. */
  challenges: { domain: string; required: boolean };
  /** By address in each period, except `accountLogins`: by account and address together. */
  rateLimits: { periodSeconds: number; logins: number; accountLogins: number; checks: number; requests: number };
}

/** @throws ConfigurationError naming every bad or missing variable. */
export function readConfig(environment: Record<string, string | undefined>): VideoAuthConfig {
  const env = loadConfiguration(videoAuthEnvironment, environment);
  return {
    http: httpOf(env),
    logLevel: env.LOG_LEVEL,
    ...signatureLoginOf(env),
    tokens: {
      keys: keySource(env),
      issuer: env.TOKEN_ISSUER,
      audience: env.TOKEN_AUDIENCE,
      lifetimeMs: env.TOKEN_SECONDS,
    },
    challenges: { domain: new URL(env.BASE_URL).host, required: env.REQUIRE_CHALLENGE },
    rateLimits: {
      periodSeconds: 60,
      logins: env.LOGINS_PER_MINUTE,
      accountLogins: env.ACCOUNT_LOGINS_PER_MINUTE,
      checks: env.CHECKS_PER_MINUTE,
      requests: env.REQUESTS_PER_MINUTE,
    },
  };
}

function keySource(env: z.infer<typeof videoAuthEnvironment>): KeySource | undefined {
  if (env.TOKEN_KEYS_FILE !== undefined) return { file: env.TOKEN_KEYS_FILE, reloadMs: env.TOKEN_KEYS_RELOAD_SECONDS };
  return env.TOKEN_KEYS === undefined ? undefined : { text: env.TOKEN_KEYS };
}

/** Injects the `VideoAuthConfig`. */
export const VIDEO_AUTH_CONFIG = Symbol('VideoAuthConfig');
