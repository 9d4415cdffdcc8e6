import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PlainError } from '@waggle/running';
import { z } from 'zod';
import { type Sabotage, sabotages } from './sabotage';

/** What the command line asks for. */
export interface ChaosOptions {
  /** Random faults are injected for so long. */
  minutes: number;
  clients: number;
  /** Messages a second over all clients. */
  perSecond: number;
  /** Chooses the faults, their targets and lengths, and who writes where. */
  seed: number;
  /** The kinds of random faults. */
  kinds: string[];
  /** Kinds of fault: each once in this order in place of random ones, where there are any. */
  each: string[];
  /** Faults last short. */
  isQuick: boolean;
  /** Three masters in place of one Redis. */
  isRedisCluster: boolean;
  /** Spoils one event of one client, so that the check must fail. */
  sabotage: Sabotage | undefined;
  /** Where the report is written as JSON. */
  file: string;
  /** Where all that was seen is written as JSON. */
  observationFile: string | undefined;
}

const count = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const names = z
  .string()
  .transform((text) => text.split(','))
  .optional();

const values = z.object({
  minutes: z.coerce.number().positive().max(1_440),
  // Groups have eight members, a devnet makes an account in a few milliseconds.
  clients: count(8, 2_000),
  rate: count(1, 10_000),
  seed: count(0, 2 ** 31 - 1).optional(),
  kinds: names,
  each: names,
  quick: z.boolean(),
  'redis-cluster': z.boolean(),
  sabotage: z.enum(sabotages).optional(),
  out: z.string(),
  observed: z.string().optional(),
});

const usage = (known: readonly string[]) =>
  [
    'npm run chaos:chat -- [--minutes 10] [--clients 200] [--rate 100] [--seed 1] [--kinds one,other | --each one,other]',
    `  [--redis-cluster] [--quick] [--sabotage ${sabotages.join('|')}] [--out file.json] [--observed file.json]`,
    `faults: ${known.join(', ')}`,
  ].join('\n');

/**
 * @param known names of all kinds of fault
 * @param folder that relative paths are in
 * @throws PlainError which says how to call it
 */
export function readOptions(args: readonly string[], known: readonly string[], folder: string): ChaosOptions {
  try {
    const { values: texts } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '10' },
        clients: { type: 'string', default: '200' },
        rate: { type: 'string', default: '100' },
        seed: { type: 'string' },
        kinds: { type: 'string' },
        each: { type: 'string' },
        quick: { type: 'boolean', default: false },
        'redis-cluster': { type: 'boolean', default: false },
        sabotage: { type: 'string' },
        out: { type: 'string', default: '.bench/chaos-chat.json' },
        observed: { type: 'string' },
      },
    });
    const read = values.safeParse(texts);
    if (!read.success) throw new PlainError(read.error.issues.map(toLine).join('\n'));
    const { minutes, clients, rate, seed, kinds = known, each = [], quick, sabotage, out, observed } = read.data;
    const unknown = [...kinds, ...each].find((name) => !known.includes(name));
    if (unknown !== undefined) throw new PlainError(`There is no fault ${unknown}.`);
    return {
      minutes,
      clients,
      perSecond: rate,
      seed: seed ?? randomInt(2 ** 31),
      kinds: [...kinds],
      each,
      isQuick: quick,
      isRedisCluster: read.data['redis-cluster'],
      sabotage,
      file: path.resolve(folder, out),
      observationFile: observed === undefined ? undefined : path.resolve(folder, observed),
    };
  } catch (error) {
    throw new PlainError(`${error instanceof Error ? error.message : String(error)}\n${usage(known)}`);
  }
}

function toLine({ path: [option], message }: z.core.$ZodIssue): string {
  return `--${String(option)}: ${message}`;
}
