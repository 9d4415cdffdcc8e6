import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PlainError, withUsage } from '@waggle/running';
import { z } from 'zod';

export interface ChaosOptions {
  /** How long random faults are injected. */
  minutes: number;
  clients: number;
  /** Messages per second of all clients together. */
  perSecond: number;
  /** Determines faults, targets, durations and conversations. */
  seed: number;
  /** The kinds of random faults. */
  kinds: string[];
  /** If not empty: these faults in this order instead of random ones. */
  each: string[];
  /** Uses short faults. */
  isQuick: boolean;
  /** Uses a cluster of three masters instead of one Redis. */
  isRedisCluster: boolean;
  /** The path of the JSON report. */
  file: string;
  /** The path of the recorded `Observation`, as JSON. */
  observationFile: string | undefined;
}

const count = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const names = z
  .string()
  .transform((text) => text.split(','))
  .optional();

const values = z.object({
  minutes: z.coerce.number().positive().max(1_440),
  // Groups have eight members; the devnet creates an account in a few milliseconds.
  clients: count(8, 2_000),
  rate: count(1, 10_000),
  seed: count(0, 2 ** 31 - 1).optional(),
  kinds: names,
  each: names,
  quick: z.boolean(),
  'redis-cluster': z.boolean(),
  out: z.string(),
  observed: z.string().optional(),
});

const usage = (knownFaults: readonly string[]) =>
  [
    'npm run chaos:chat -- [--minutes 10] [--clients 200] [--rate 100] [--seed 1] [--kinds one,other | --each one,other]',
    `  [--redis-cluster] [--quick] [--out file.json] [--observed file.json]`,
    `faults: ${knownFaults.join(', ')}`,
  ].join('\n');

/**
 * Reads the command line.
 *
 * @param folder the base of relative paths
 * @throws PlainError with the usage
 */
export function readOptions(args: readonly string[], knownFaults: readonly string[], folder: string): ChaosOptions {
  return withUsage(`\n${usage(knownFaults)}`, () => {
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
        out: { type: 'string', default: '.bench/chaos-chat.json' },
        observed: { type: 'string' },
      },
    });
    const read = values.safeParse(texts);
    if (!read.success) throw new PlainError(read.error.issues.map(toLine).join('\n'));
    const { minutes, clients, rate, seed, kinds = knownFaults, each = [], quick, out, observed } = read.data;
    const unknown = [...kinds, ...each].find((name) => !knownFaults.includes(name));
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
      file: path.resolve(folder, out),
      observationFile: observed === undefined ? undefined : path.resolve(folder, observed),
    };
  });
}

function toLine({ path: [option], message }: z.core.$ZodIssue): string {
  return `--${String(option)}: ${message}`;
}
