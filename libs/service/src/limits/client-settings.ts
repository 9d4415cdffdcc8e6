import { z } from 'zod';
import { type ClientLimitName } from '../errors/limit-names';
import { isAddressOrRange } from './address-key';

/** A client with its own limits. All requests with one of its tokens, or from one of its addresses, count together. */
export interface NamedClient {
  readonly name: string;
  /** Addresses and CIDR ranges. */
  readonly addresses: string[];
  /** SHA-256 of its tokens, in hexadecimal, which it sends as `X-API-Key`. */
  readonly tokenSha256: string[];
  readonly limits: Readonly<Partial<Record<ClientLimitName, number>>>;
}

/** The limits that a service has, each with its lowest value. */
type MinLimits = Readonly<Partial<Record<ClientLimitName, number>>>;

/** `CLIENT_LIMITS`: named clients as JSON. */
export function clientLimits(minLimits: MinLimits): z.ZodType<NamedClient[]> {
  const clients = z
    .array(namedClient(minLimits))
    .refine((list) => areUnique(list.map(({ name }) => name)), 'must have different names')
    .refine((list) => areUnique(list.flatMap(({ tokenSha256 }) => tokenSha256)), 'must have different tokens');
  return jsonText.pipe(clients).default([]);
}

function namedClient(minLimits: MinLimits): z.ZodType<NamedClient> {
  const limit = (min: number) => z.int().min(min, `must be at least ${min}`).optional();
  return z
    .strictObject({
      name: z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 lower-case letters, digits or hyphens'),
      addresses: z.array(z.string().refine(isAddressOrRange, 'must be an IP address or a CIDR range')).default([]),
      tokenSha256: z.array(z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')).default([]),
      limits: z
        .strictObject(Object.fromEntries(Object.entries(minLimits).map(([name, min]) => [name, limit(min)])))
        .refine((limits) => Object.keys(limits).length > 0, 'needs a limit'),
    })
    .refine(({ addresses, tokenSha256 }) => addresses.length + tokenSha256.length > 0, 'needs an address or a token');
}

const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});

function areUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
