import { z } from 'zod';

/** `[name, {…}]`, the form that all of them have. */
const command = z.tuple([z.string(), z.record(z.string(), z.unknown())]);

/** Undefined for anything else. */
export function findCommand(json: unknown): { name: string; payload: Readonly<Record<string, unknown>> } | undefined {
  const { data } = command.safeParse(json);
  return data && { name: data[0], payload: data[1] };
}
