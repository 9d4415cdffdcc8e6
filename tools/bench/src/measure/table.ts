import { markdownTable, median } from '@waggle/running';
import { compare, type Comparison, type Measure } from './measure';

const headings = ['figure', 'measured', 'baseline', 'ratio', 'single runs', 'target'];
const cpuHeadings = ['CPU per message', 'CPU of the baseline'];

/** Formats the measures as Markdown, one line for each threshold, so that the table can be copied into a page. */
export function tableOf(measures: readonly Measure[]): string {
  const hasCpu = measures.some(({ cpuUs }) => cpuUs !== undefined);
  const rows = measures.flatMap((measure) =>
    compare(measure).map((comparison, index) => rowOf(comparison, index === 0, hasCpu)),
  );
  return markdownTable([hasCpu ? [...headings, ...cpuHeadings] : headings, ...rows]).join('\n');
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

function rowOf(comparison: Comparison, isFirst: boolean, hasCpu: boolean): string[] {
  const { measure, against, value, baseline, ratio, isMet } = comparison;
  const { key, what, unit, subject, readings, problem } = measure;
  const cells = [
    isFirst ? `\`${key}\`: ${what}` : '',
    isFirst ? `${numberText(value)} ${unit}` : '',
    `${against} ${numberText(baseline)} ${unit}`,
    ratioText(ratio),
    rangeText(readings[subject] ?? [], readings[against] ?? []),
    `${targetText(comparison)}${isMet ? '' : ` **missed**${problem === undefined ? '' : `: ${problem}`}`}`,
  ];
  return hasCpu ? [...cells, isFirst ? cpuText(measure, subject) : '', cpuText(measure, against)] : cells;
}

/** The lowest and highest ratio of runs that were measured in the same turn. */
function rangeText(values: readonly number[], baselines: readonly number[]): string {
  const ratios = values.flatMap((value, index) => {
    const baseline = baselines[index];
    return baseline === undefined || baseline === 0 ? [] : [value / baseline];
  });
  return ratios.length < 2 ? '' : `${ratioText(Math.min(...ratios))} to ${ratioText(Math.max(...ratios))}`;
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
