import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { type ResponseSettings } from './responses/response-limits';

const mebibyte = 1024 * 1024;

/** Stops the start of a service. Lists every fault by the variable's name, never a value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly faults: readonly string[]) {
    super(
      `The configuration has ${String(faults.length)} fault(s):\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}

/**
 * Reads a service's configuration from environment variables. Empty variables count as absent.
 *
 * @throws ConfigurationError with every fault, not only the first. A rule over several variables is judged beside the
 * faults of single ones only where it is made with `ruleOver`: zod skips other refinements of an object with a fault.
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
 * A time that a variable gives in whole seconds, at least one unless `minSeconds` says otherwise; the value is in
 * milliseconds. Unless `maxSeconds` says otherwise, at most what a timer can wait, which is 24 days.
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
 * For `schema.refine(check, ruleOver(variables, message))`: a rule over several variables, reported under the first. It is
 * judged though other variables are at fault, but not while one of its own is, for then there is nothing to compare.
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

/** `https://app.example`, or what mobile and extension clients send, such as `capacitor://localhost`. */
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

/** The range /0 is none: it would believe everybody. */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** The content of the file that a variable names, as for secrets that a platform mounts. */
export const fileContent = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    context.addIssue('must name a readable file');
    return z.NEVER;
  }
});

/** The entry that stands for every origin, in the settings of a service that allows it. */
export const anyOrigin = '*';

const corsOrigins = origins.default([]);

/** Origins, or `*`: for a service that answers everybody the same and knows no credentials. */
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
   * How long an instance that serves clients goes on after SIGTERM. The default is as long as a cluster takes at the most to
   * tell everybody who routes that a pod goes.
   */
  DRAIN_DELAY_SECONDS: secondsAsMs({ defaultSeconds: 5, minSeconds: 0, maxSeconds: 60 }),
  /**
   * What request bodies and responses may hold together until their clients have read them. One client alone gets half of it.
   */
  RESPONSE_MEMORY_MEGABYTES: wholeNumber({ min: 8, max: 65_536 }).default(128),
  /** What an address, and an account, gets of responses over 4 KiB in a minute, beyond a burst. */
  RESPONSE_MEGABYTES_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000 }).default(60),
  /** The collector of traces; read by the SDK, which also reads others of its documented variables. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']).optional(),
});

type ServiceEnvironment = z.infer<typeof serviceEnvironment>;

export type LogLevel = ServiceEnvironment['LOG_LEVEL'];

/** Where a service listens, and whom it believes. */
export interface HttpConfig {
  host: string;
  port: number;
  corsOrigins: string[];
  trustedProxies: string[];
  /** Of what serves clients: they have connections there. */
  drainDelayMs: number;
  responses: ResponseSettings;
}

/** These settings as a service's variables give them. */
export function httpOf(env: ServiceEnvironment): HttpConfig {
  return {
    host: env.HOST,
    port: env.PORT,
    corsOrigins: env.CORS_ORIGINS,
    trustedProxies: env.TRUSTED_PROXIES,
    drainDelayMs: env.DRAIN_DELAY_SECONDS,
    responses: {
      totalBytes: env.RESPONSE_MEMORY_MEGABYTES * mebibyte,
      bytesPerSecond: (env.RESPONSE_MEGABYTES_PER_MINUTE * mebibyte) / 60,
    },
  };
}

export const databaseUrl = url(['postgres:', 'postgresql:']);
/** One Redis, or start nodes of a Redis Cluster, which let in the same user in the same way. */
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
