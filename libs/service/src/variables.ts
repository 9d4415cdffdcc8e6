// Schemas of variables, which the settings of a service are built from. Their errors do not contain the value.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isAddressOrRange } from './limits/address-key';

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

/** A URL with one of these protocols, such as `https:`. */
export const url = (protocols: string[]) =>
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

/** An address, a range, or the name of a range. */
export const proxies = z
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

export const corsOrigins = origins.default([]);

/** Origins, or `*`: for a service whose responses do not depend on credentials. */
export const corsOriginsOrAny = z
  .literal(anyOrigin)
  .transform((any): string[] => [any])
  .or(corsOrigins);

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

/** What the URLs of the nodes of a cluster have in common. */
function withoutAddress(text: string): string {
  const { protocol, username, password, pathname, search } = new URL(text);
  return JSON.stringify([protocol, username, password, pathname, search]);
}

export const hiveApiNodes = commaSeparated(url(['http:', 'https:'])).pipe(
  z.array(z.string()).min(1, 'must name at least one node'),
);
