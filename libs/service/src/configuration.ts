import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isAddressOrRange } from './limits/address-key';
import { type NamedClient } from './limits/client-settings';
import { bytesPerSecondOf, type ResponseSettings } from './responses/response-limits';

const mebibyte = 1024 * 1024;

/** Ends the start of a service. Lists every error by the variable's name, never a value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly errors: readonly string[]) {
    super(
      `The configuration has ${String(errors.length)} error(s):\n${errors.map((error) => `  ${error}`).join('\n')}`,
    );
  }
}

/**
 * Reads a configuration from environment variables, or from arguments of a command. Empty ones count as absent.
 *
 * @throws ConfigurationError with every error, not only the first. Use `ruleOver` for rules over several variables: zod
 * skips other refinements if any variable is invalid.
 */
export function loadConfiguration<Schema extends z.ZodType>(
  schema: Schema,
  environment: Record<string, string | undefined>,
): z.infer<Schema> {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(present, { reportInput: false });
  if (result.success) return result.data;
  throw new ConfigurationError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}

/** A whole number in a variable, such as a port or a time limit. */
export const wholeNumber = ({ min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** The longest delay that a Node timer takes; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * A duration in whole seconds, parsed to milliseconds. `minSeconds` is 1 by default, `maxSeconds` 24 days, the limit of
 * timers.
 */
export const secondsAsMs = ({
  defaultSeconds,
  minSeconds = 1,
  maxSeconds = Math.floor(maxTimerMs / 1_000),
}: {
  defaultSeconds: number;
  minSeconds?: number;
  maxSeconds?: number;
}) =>
  wholeNumber({ min: minSeconds, max: maxSeconds })
    .transform((seconds) => seconds * 1_000)
    .default(defaultSeconds * 1_000);

/**
 * Returns the parameters of a rule over several variables, for `schema.refine(check, ruleOver(variables, message))`. An
 * error is reported under the first of them. The rule is checked unless one of these variables is itself invalid.
 */
export const ruleOver = (variables: readonly [string, ...string[]], message: string) => ({
  path: [variables[0]],
  message,
  when: ({ issues }: { issues: readonly { path?: readonly PropertyKey[] | undefined }[] }) =>
    !issues.some(({ path }) => variables.includes(String(path?.[0]))),
});

/** A list divided by commas; blanks around the entries are dropped. */
export const commaSeparated = <Entry extends z.ZodType<unknown, string>>(entry: Entry) =>
  z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .pipe(z.array(entry));

const url = (protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL (${protocols.join(', ')})`,
    );

/** `https://app.example`, or an origin of mobile apps and extensions, such as `capacitor://localhost`. */
const origin = z.string().refine((text) => isOrigin(text), 'must list origins such as https://app.example');

/** Origins, divided by commas. */
export const origins = commaSeparated(origin);

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  // A browser gives other schemes no origin of their own, and sends them as they are.
  return /^https?:/.test(text) ? new URL(text).origin === text : /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text);
}

/** Names of ranges that Fastify's `trustProxy` knows. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];

const proxies = z
  .string()
  .refine(
    (text) => namedRanges.includes(text) || isAddressOrRange(text),
    `must list IP addresses, CIDR ranges, or ${namedRanges.join(', ')}`,
  );

/** The content of the file that a variable names, as for secrets that the cluster mounts. */
export const fileContent = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    context.addIssue('must name a readable file');
    return z.NEVER;
  }
});

/** The entry for every origin, in the settings of a service that allows it. */
export const anyOrigin = '*';

const corsOrigins = origins.default([]);

/** Origins, or `*`: for a service whose responses do not depend on credentials. */
export const corsOriginsOrAny = z
  .literal(anyOrigin)
  .transform((any): string[] => [any])
  .or(corsOrigins);

/** The variables that every service knows. A service's schema extends this one. */
export const serviceEnvironment = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: wholeNumber({ max: 65_535 }),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  CORS_ORIGINS: corsOrigins,
  /** Proxies whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: commaSeparated(proxies).default([]),
  /**
   * Time that an instance continues to serve after SIGTERM. By default as long as a cluster takes to stop routing
   * requests to a terminating pod.
   */
  DRAIN_DELAY_SECONDS: secondsAsMs({ defaultSeconds: 5, minSeconds: 0, maxSeconds: 60 }),
  /**
   * Memory of request bodies and of responses that clients have not read yet. A single client gets at most half of it.
   */
  RESPONSE_MEMORY_MEGABYTES: wholeNumber({ min: 8, max: 65_536 }).default(128),
  /** Megabytes per minute of responses over 4 KiB for each address, and each account, beyond a burst. */
  RESPONSE_MEGABYTES_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000 }).default(60),
  /** The collector of traces; read by the SDK, which also reads others of its documented variables. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']).optional(),
});

type ServiceEnvironment = z.infer<typeof serviceEnvironment>;

export type LogLevel = ServiceEnvironment['LOG_LEVEL'];

/** Where a service listens, and which origins and proxies it trusts. */
export interface HttpConfig {
  host: string;
  port: number;
  corsOrigins: string[];
  trustedProxies: string[];
  /** Clients with their own limits. */
  namedClients: NamedClient[];
  /** For processes that serve clients. */
  drainDelayMs: number;
  responses: ResponseSettings;
}

/** Derives the settings from the variables. */
export function httpOf(env: ServiceEnvironment & { CLIENT_LIMITS?: NamedClient[] }): HttpConfig {
  return {
    host: env.HOST,
    port: env.PORT,
    corsOrigins: env.CORS_ORIGINS,
    trustedProxies: env.TRUSTED_PROXIES,
    namedClients: env.CLIENT_LIMITS ?? [],
    drainDelayMs: env.DRAIN_DELAY_SECONDS,
    responses: {
      totalBytes: env.RESPONSE_MEMORY_MEGABYTES * mebibyte,
      bytesPerSecond: bytesPerSecondOf(env.RESPONSE_MEGABYTES_PER_MINUTE),
    },
  };
}

export const databaseUrl = url(['postgres:', 'postgresql:']);
/** One Redis, or start nodes of a Redis Cluster, which must accept the same credentials. */
export const redisUrls = commaSeparated(url(['redis:', 'rediss:'])).pipe(
  z
    .array(z.string())
    .min(1, 'must name at least one Redis')
    .refine(
      (urls) => new Set(urls.map(withoutAddress)).size <= 1,
      'must differ in host and port alone, since they are nodes of one cluster',
    ),
);

function withoutAddress(text: string): string {
  const { protocol, username, password, pathname, search } = new URL(text);
  return JSON.stringify([protocol, username, password, pathname, search]);
}
export const hiveApiNodes = commaSeparated(url(['http:', 'https:'])).pipe(
  z.array(z.string()).min(1, 'must name at least one node'),
);
