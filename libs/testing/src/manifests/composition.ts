import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const file = path.resolve(__dirname, '../../../../docker/compose.yaml');

const service = z.looseObject({
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()]).transform(String)).default({}),
  depends_on: z.record(z.string(), z.looseObject({ condition: z.string() })).default({}),
  profiles: z.array(z.string()).default([]),
});

const composition = z.looseObject({ services: z.record(z.string(), service) });

export type ComposedService = z.infer<typeof service>;

/** Reads the services of docker/compose.yaml, with the defaults of its variables. */
export function readComposition(): ReadonlyMap<string, ComposedService> {
  const text = readFileSync(file, 'utf8').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  // `<<` is a merge of YAML 1.1, which Compose understands.
  return new Map(Object.entries(composition.parse(parse(text, { merge: true })).services));
}
