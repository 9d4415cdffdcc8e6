import path from 'node:path';
import { parseArgs } from 'node:util';
import { PlainError, withUsage } from '@waggle/running';
import { z } from 'zod';

/** The options of the command line. */
export interface AttackOptions {
  /** Names of attacks; by default all. */
  names: string[];
  /** Duration of a soak; undefined to run attacks one after another. */
  soakMinutes: number | undefined;
  /** Whether attacks run in their short form. */
  isQuick: boolean;
  isJson: boolean;
  heapMebibytes: number;
  /** Duration of an attack; undefined for the default. */
  seconds: number | undefined;
  /** Undefined for the default. */
  rate: number | undefined;
  /** The absolute path of another built checkout whose services are attacked. */
  checkout: string | undefined;
}

export const soak = 'soak';

const values = z.object({
  minutes: z.coerce.number().positive().max(1_440),
  quick: z.boolean(),
  json: z.boolean(),
  heap: z.coerce.number().int().min(64).max(65_536),
  seconds: z.coerce.number().positive().max(3_600).optional(),
  rate: z.coerce.number().positive().max(1).optional(),
  services: z.string().optional(),
});

/** @param known names of attacks @throws PlainError with the usage if the arguments are invalid */
export function readOptions(args: readonly string[], known: readonly string[]): AttackOptions {
  return withUsage(`\n${usage(known)}`, () => {
    const { values: texts, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        minutes: { type: 'string', default: '10' },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        heap: { type: 'string', default: '512' },
        seconds: { type: 'string' },
        rate: { type: 'string' },
        services: { type: 'string' },
      },
    });
    const read = values.safeParse(texts);
    if (!read.success)
      throw new PlainError(
        read.error.issues.map(({ path: [option], message }) => `--${String(option)}: ${message}`).join('\n'),
      );
    const isSoak = positionals.includes(soak);
    const unknown = positionals.find((name) => name !== soak && !known.includes(name));
    if (unknown !== undefined) throw new PlainError(`There is no attack ${unknown}.`);
    if (isSoak && positionals.length > 1) throw new PlainError('A soak is all attacks by load at once.');
    const { minutes, quick, json, heap, seconds, rate, services } = read.data;
    return {
      names: positionals.length === 0 ? [...known] : known.filter((name) => positionals.includes(name)),
      soakMinutes: isSoak ? minutes : undefined,
      isQuick: quick,
      isJson: json,
      heapMebibytes: heap,
      seconds,
      rate,
      checkout: services === undefined ? undefined : path.resolve(services),
    };
  });
}

const usage = (known: readonly string[]) =>
  [
    'npm run attack -- [--quick] [--json] [--heap 512] [--seconds 60] [--rate 1] [--services folder] [name …]',
    `npm run attack -- [--minutes 10] [--json] [--heap 512] [--rate 0.1] [--services folder] ${soak}`,
    `attacks: [${known.join('] [')}]`,
  ].join('\n');
