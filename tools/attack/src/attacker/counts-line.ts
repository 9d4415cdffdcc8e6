import { z } from 'zod';
import { type Counts } from '../traffic/attack-context';

/** The beginning of the line with the counts of an attacker's process. */
export const countsPrefix = 'counted ';

const allCounts = z.record(z.string(), z.record(z.string(), z.number()));

/** @param counts by attack */
export function countsLine(counts: Record<string, Counts>): string {
  return countsPrefix + JSON.stringify(counts);
}

/** @throws Error if the line has no counts */
export function parseCounts(line: string): Record<string, Counts> {
  return allCounts.parse(JSON.parse(line.slice(countsPrefix.length)));
}
