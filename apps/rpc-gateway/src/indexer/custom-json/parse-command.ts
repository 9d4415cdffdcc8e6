import { z } from 'zod';

/** The usual form of custom operations: `[name, {…}]`. */
const command = z.tuple([z.string(), z.record(z.string(), z.unknown())]);

/** @returns undefined for any other form */
export function parseCommand(json: unknown): { name: string; payload: Readonly<Record<string, unknown>> } | undefined {
  const { data } = command.safeParse(json);
  return data && { name: data[0], payload: data[1] };
}
