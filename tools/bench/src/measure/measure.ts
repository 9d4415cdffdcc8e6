import { median } from '@waggle/running';

/** What is wanted of the ratio of one reading to that of a baseline; one of the two bounds. */
export interface Threshold {
  /** The baseline, by its name among the readings. */
  against: string;
  atLeast?: number;
  atMost?: number;
}

/** One thing that was measured, of the subject and of the baselines that it is compared with. */
export interface Measure {
  /** What it is called in the JSON, such as `latency-p99`. */
  key: string;
  /** What was measured, for people. */
  what: string;
  unit: string;
  /** Who is measured, by its name among the readings; the others are baselines. */
  subject: string;
  /** The value of each run. */
  readings: Readonly<Record<string, readonly number[]>>;
  /** CPU time in µs that one message or call takes in each process, by its name: one object for each reading. */
  cpuUs?: Readonly<Record<string, readonly Readonly<Record<string, number>>[]>>;
  thresholds: readonly Threshold[];
  /** Why the subject's readings do not count, such as messages that never came; then every threshold is missed. */
  problem?: string | undefined;
}

/** A measure's subject beside one baseline. Numbers are medians; undefined where there are no readings. */
export interface Comparison extends Threshold {
  measure: Measure;
  value: number | undefined;
  baseline: number | undefined;
  ratio: number | undefined;
  isMet: boolean;
}

/** One for each threshold. */
export function compare(measure: Measure): Comparison[] {
  const value = middleOf(measure.readings[measure.subject]);
  return measure.thresholds.map((threshold) => {
    const baseline = middleOf(measure.readings[threshold.against]);
    const ratio = value === undefined || baseline === undefined || baseline === 0 ? undefined : value / baseline;
    const isMet = measure.problem === undefined && ratio !== undefined && isWithin(ratio, threshold);
    return { ...threshold, measure, value, baseline, ratio, isMet };
  });
}

function isWithin(ratio: number, { atLeast = -Infinity, atMost = Infinity }: Threshold): boolean {
  return ratio >= atLeast && ratio <= atMost;
}

function middleOf(readings: readonly number[] | undefined): number | undefined {
  return readings === undefined || readings.length === 0 ? undefined : median(readings);
}
