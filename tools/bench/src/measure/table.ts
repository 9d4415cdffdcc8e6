import { median, textTable } from '@waggle/running';
import { compare, type Comparison, type Measure } from './measure';

const headings = ['', 'unit', 'measured', 'baseline', '', 'ratio', 'target', ''];
const cpuHeadings = ['CPU', 'CPU of the baseline'];
const numericColumns = new Set([2, 4, 5]);

/** Formats the measures for a terminal, one line for each threshold. */
export function tableOf(measures: readonly Measure[]): string {
  const hasCpu = measures.some(({ cpuUs }) => cpuUs !== undefined);
  const allHeadings = hasCpu ? [...headings, ...cpuHeadings] : headings;
  const rows = measures.flatMap((measure) => compare(measure).map(rowOf));
  return textTable([allHeadings, ...rows], (column) => numericColumns.has(column));
}

/** Returns one line for each missed threshold. */
export function missedLines(measures: readonly Measure[]): string[] {
  return measures
    .flatMap(compare)
    .filter(({ isMet }) => !isMet)
    .map((comparison) => {
      const { measure, against, ratio } = comparison;
      const reason = measure.problem ?? `${ratioText(ratio)} of ${against}, target ${targetText(comparison)}`;
      return `Missed: ${measure.what}: ${reason}`;
    });
}

function rowOf(comparison: Comparison, index: number): string[] {
  const { measure, against, value, baseline, ratio, isMet } = comparison;
  const isFirst = index === 0;
  return [
    isFirst ? measure.what : '',
    isFirst ? measure.unit : '',
    isFirst ? numberText(value) : '',
    against,
    numberText(baseline),
    ratioText(ratio),
    targetText(comparison),
    isMet ? 'pass' : `FAIL${measure.problem === undefined ? '' : `: ${measure.problem}`}`,
    isFirst ? cpuText(measure, measure.subject) : '',
    cpuText(measure, against),
  ];
}

/** Formats the medians of each process: "server 26.6 µs, PostgreSQL 15.8 µs". */
function cpuText({ cpuUs = {} }: Measure, name: string): string {
  const readings = cpuUs[name] ?? [];
  return Object.keys(readings[0] ?? {})
    .map((process) => `${process} ${numberText(median(readings.map((reading) => reading[process] ?? NaN)))} µs`)
    .join(', ');
}

function ratioText(ratio: number | undefined): string {
  if (ratio === undefined) return '–';
  return ratio < 0.01 ? numberText(ratio) : ratio.toFixed(2);
}

/** Empty if there is no target. */
function targetText({ atLeast, atMost }: Comparison): string {
  if (atLeast !== undefined) return `≥ ${ratioText(atLeast)}`;
  return atMost === undefined ? '' : `≤ ${ratioText(atMost)}`;
}

/** Formats a number with three digits: more would not be reproducible on a shared machine. */
export function numberText(value: number | undefined): string {
  if (value === undefined) return '–';
  return value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
