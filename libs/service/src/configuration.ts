import { z } from 'zod';
import { type NamedClient } from './limits/client-settings';
import { bytesPerSecondOf, type ResponseSettings } from './responses/response-limits';
import { commaSeparated, corsOrigins, proxies, secondsAsMs, url, wholeNumber } from './variables';

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
