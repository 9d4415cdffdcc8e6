import { z } from 'zod';
import { local } from './route';
import { cacheRule, duration } from './option-values';

const variable = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable');
export const backendName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'must be a name of lower-case letters, digits and hyphens')
  .refine((name) => name !== local, `must not be ${local}, the target of local methods`)
  .refine((name) => name !== 'none', 'must not be none, which stands for no fallback');
const retries = z.int().min(0).max(5);
/** At most a minute, since clients give up before. */
const timeout = duration.refine((ms) => ms >= 10 && ms <= 60_000, 'must be from 10ms to 1m');
const hedge = z.union([z.literal('none'), duration]);

/**
 * A set of nodes, which becomes `BackendSettings`. `nodes` is the environment variable with their URLs, separated by
 * commas.
 */
export const backendRow = z.strictObject({
  nodes: variable,
  connections: z.int().min(1).max(1_024).default(64),
  waiting: z.int().min(0).max(100_000).default(1_000),
  'hedge-percent': z.int().min(0).max(100).default(10),
  'response-megabytes': z.int().min(1).max(256).default(8),
  'shares-cursors': z.boolean().default(false),
  'reports-head': z.boolean().default(true),
});

/** The options that `defaults` must have, and that a route may override. */
const options = { to: backendName, timeout, cache: cacheRule, retries, hedge };
const fallback = z.union([z.literal('none'), backendName]);
export const defaultsRow = z.strictObject({ ...options, fallback: fallback.optional() });
export type DefaultsRow = z.infer<typeof defaultsRow>;

/** The name of a method without its namespace. */
const query = z.string().regex(/^[a-z][a-z0-9_-]*$/, 'must be a query, without its namespace');

export const routeRow = z
  .strictObject({
    ...options,
    to: z.union([z.literal(local), backendName]),
    fallback,
    stale: duration,
    write: z.boolean(),
    methods: z.array(query).min(1),
  })
  .partial()
  // In YAML a route without options is null.
  .nullable()
  .transform((row) => row ?? {});
export type RouteRow = z.infer<typeof routeRow>;

export const routeName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)?$/, 'must be <namespace> or <namespace>.<query>');

/** Paths that the gateway itself serves. */
const ownPaths = /^\/(?:rpc|docs|events|health|index|metrics|status)\//;

/** A prefix of paths that are forwarded. */
export const pathPrefix = z
  .string()
  .regex(/^(?:\/[a-z0-9][a-z0-9-]*)+\/$/, 'must be a prefix such as /balance-api/, with a slash at both ends')
  .refine((name) => !ownPaths.test(name), 'is a path of the gateway itself');

export const pathRow = z
  .strictObject({
    to: z.union([z.literal(local), backendName]),
    fallback,
    timeout,
    cache: cacheRule.refine(({ kind }) => kind !== 'irreversible', 'must be none, head or a duration'),
    stale: duration,
    retries,
    hedge,
    'strip-prefix': z.boolean(),
  })
  .partial()
  .nullable()
  .transform((row) => row ?? {});
export type PathRow = z.infer<typeof pathRow>;

/**
 * The parts of the file. Their rows are parsed one by one, so that an invalid one does not keep the others from
 * being checked.
 */
export const routeFile = z.strictObject({
  backends: z.record(z.string(), z.unknown()),
  defaults: z.unknown(),
  routes: z.record(z.string(), z.unknown()),
  paths: z.record(z.string(), z.unknown()).default({}),
});
