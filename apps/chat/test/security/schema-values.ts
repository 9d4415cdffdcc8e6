import * as fc from 'fast-check';
import { z } from 'zod';

/** A field of an object schema and a value that it may well have. */
export type Field = [name: string, value: fc.Arbitrary<unknown>];

const jsonSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
});

/** Names and identifiers that there are, for fields to name. */
export interface Names {
  accounts: readonly string[];
  identifiers: readonly string[];
  tokens: readonly string[];
}

/**
 * The fields of a schema of the contract, each with values that get past the validation often enough: a field's name
 * describes it.
 */
export function fieldsOf(schema: z.ZodType, names: Names): Field[] {
  const { properties } = jsonSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return Object.keys(properties).map((name) => [name, likelyValue(name, names)]);
}

function likelyValue(name: string, { accounts, identifiers, tokens }: Names): fc.Arbitrary<unknown> {
  const account = fc.constantFrom(...accounts);
  const identifier = fc.constantFrom(...identifiers);
  if (name === 'username') return account;
  if (name === 'to') return fc.oneof(account, fc.array(account, { minLength: 1, maxLength: 4 }), fc.constant(null));
  if (name === 'id' || name === 'conversation_id') return identifier;
  if (name === 'ids') return fc.array(identifier, { maxLength: 5 }).map((ids) => ids.join(','));
  if (name === 'token') return fc.constantFrom(...tokens);
  if (name === 'dm') return fc.record({ only_from_friends: fc.boolean() });
  if (name === 'limit' || name === 'before' || name === 'ts') return fc.nat().map(String);
  return fc.string({ minLength: 1, maxLength: 40 }).map((text) => `by an attacker ${text}`);
}
