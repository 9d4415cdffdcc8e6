import { readFileSync } from 'node:fs';
import { z } from 'zod';

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
 * @throws ConfigurationError with every fault, not only the first.
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
export const wholeNumber = ({ least = 0, most = Number.MAX_SAFE_INTEGER } = {}) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

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

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  // A browser gives other schemes no origin of their own, and sends them as they are.
  return /^https?:/.test(text) ? new URL(text).origin === text : /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text);
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

/** The variables that every service knows. A service's schema extends this one. */
export const serviceEnvironment = z.object({
  HOST: z.string().default('0.0.0.0'),
  PORT: wholeNumber({ most: 65_535 }),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  CORS_ORIGINS: commaSeparated(origin).default([]),
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR ranges. */
  TRUSTED_PROXIES: commaSeparated(z.string()).default([]),
});

export const databaseUrl = url(['postgres:', 'postgresql:']);
export const redisUrl = url(['redis:', 'rediss:']);
export const hiveApiNodes = commaSeparated(url(['http:', 'https:'])).pipe(
  z.array(z.string()).min(1, 'must name at least one node'),
);
