import { median } from '@waggle/running';

/** The target of the ratio to a baseline: at most one of the two bounds. */
export interface Threshold {
  /** The baseline, by its name among the readings. */
  against: string;
  atLeast?: number | undefined;
  atMost?: number | undefined;
}

/** A measured quantity of a subject and its baselines. */
export interface Measure {
  /** The key in the JSON, such as `latency-p99`. */
  key: string;
  /** A description. */
  what: string;
  unit: string;
  /** The name of the subject among the readings; the others are baselines. */
  subject: string;
  /** The value of each run. */
  readings: Readonly<Record<string, readonly number[]>>;
  /** CPU time per message of each process, in µs: one object for each reading. */
  cpuUs?: Readonly<Record<string, readonly Readonly<Record<string, number>>[]>> | undefined;
  thresholds: readonly Threshold[];
  /** Why the readings are void, such as lost messages; every threshold is then missed. */
  problem?: string | undefined;
}

/** The comparison with one baseline, of medians; undefined if there are no readings. */
export interface Comparison extends Threshold {
  measure: Measure;
  value: number | undefined;
  baseline: number | undefined;
  ratio: number | undefined;
  isMet: boolean;
}

/** Returns a comparison for each threshold. */
export function compare(measure: Measure): Comparison[] {
  const value = medianOf(measure.readings[measure.subject]);
  return measure.thresholds.map((threshold) => {
    const baseline = medianOf(measure.readings[threshold.against]);
    const ratio = value === undefined || baseline === undefined || baseline === 0 ? undefined : value / baseline;
    const isMet = measure.problem === undefined && ratio !== undefined && isWithin(ratio, threshold);
    return { ...threshold, measure, value, baseline, ratio, isMet };
  });
}

function isWithin(ratio: number, { atLeast = -Infinity, atMost = Infinity }: Threshold): boolean {
  return ratio >= atLeast && ratio <= atMost;
}

function medianOf(readings: readonly number[] | undefined): number | undefined {
  return readings === undefined || readings.length === 0 ? undefined : median(readings);
}
