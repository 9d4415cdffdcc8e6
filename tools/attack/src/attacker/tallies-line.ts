import { z } from 'zod';

/** How the line of an attacker's process begins that has its counts. */
export const talliesPrefix = 'counted ';

export type Tallies = Record<string, number>;

export function talliesLine(tallies: Tallies): string {
  return talliesPrefix + JSON.stringify(tallies);
}

/** @throws Error when the line is none */
export function parseTallies(line: string): Tallies {
  return z.record(z.string(), z.number()).parse(JSON.parse(line.slice(talliesPrefix.length)));
}
