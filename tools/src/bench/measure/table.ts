import { compare, type Comparison, type Measure } from './measure';

const headings = ['', 'unit', 'measured', 'baseline', '', 'ratio', 'wanted', ''];

/** Everything that was measured, a line for each threshold, for a terminal. */
export function tableOf(measures: readonly Measure[]): string {
  const rows = [headings, ...measures.flatMap((measure) => compare(measure).map(rowOf))];
  const widths = headings.map((_heading, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
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
    ratio === undefined ? '–' : ratio.toFixed(2),
    wantedText(comparison),
    isMet ? 'pass' : `FAIL${measure.problem === undefined ? '' : `: ${measure.problem}`}`,
  ];
}

function wantedText({ atLeast, atMost }: Comparison): string {
  return atLeast === undefined ? `≤ ${(atMost ?? NaN).toFixed(2)}` : `≥ ${atLeast.toFixed(2)}`;
}

/** Three digits that count are more than a bench on a shared machine can promise. */
export function numberText(value: number | undefined): string {
  if (value === undefined) return '–';
  return value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}

const numericColumns = new Set([2, 4, 5]);

function pad(cell: string, width: number, column: number): string {
  return numericColumns.has(column) ? cell.padStart(width) : cell.padEnd(width);
}
