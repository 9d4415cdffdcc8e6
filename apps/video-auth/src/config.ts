import { accountName } from '@waggle/contracts';
import {
  clientLimits,
  commaSeparated,
  fileContent,
  type HttpConfig,
  httpOf,
  loadConfiguration,
  type LogLevel,
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
import { type ChallengeSettings } from './challenges/challenges.service';
import { isKeyDocument } from './tokens/key-document';
import { type KeySource, tokenDefaultSeconds, type TokenSettings } from './tokens/token-settings';

/** Ten years. Not limited by timers, because none waits for a token to expire. */
const maxTokenSeconds = 10 * 365 * 24 * 60 * 60;

const keyDocumentDescription = 'a set of token keys, as `keys.main.js make` writes it';

/**
 * Every variable that the video log-in reads; `.env.example` documents them. `…_SECONDS` variables are parsed to
 * milliseconds.
 */
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
    LOGINS_PER_MINUTE: wholeNumber({ min: 1 }).default(60),
    ACCOUNT_LOGINS_PER_MINUTE: wholeNumber({ min: 1 }).default(10),
    CHECKS_PER_MINUTE: wholeNumber({ min: 1 }).default(60_000),
    REQUESTS_PER_MINUTE: wholeNumber({ min: 1 }).default(1_200),
  })
  .refine(
    (env) => env.TOKEN_KEYS === undefined || env.TOKEN_KEYS_FILE === undefined,
    ruleOver(['TOKEN_KEYS', 'TOKEN_KEYS_FILE'], 'must not be set beside TOKEN_KEYS_FILE'),
  );

/** The settings of an instance, in the units of their names. `login.maxAgeMs` is also the lifetime of a challenge. */
export interface VideoAuthConfig extends SignatureLoginConfig {
  http: HttpConfig;
  logLevel: LogLevel;
  tokens: TokenSettings;
  challenges: Omit<ChallengeSettings, 'maxAgeMs'>;
  /** The limits of a client in each period. */
  rateLimits: LoginLimitSettings & RequestLimit & { checks: number };
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
