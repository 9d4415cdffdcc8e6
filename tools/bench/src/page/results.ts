import { markdownTable, PlainError } from '@waggle/running';
import { compare, type Comparison, type Measure } from '../measure/measure';
import { type BenchRecord } from '../measure/record';
import { cpuText, numberText, ratioText, targetText } from '../measure/table';

const headings = ['figure', 'measured', 'baseline', 'ratio', 'single runs', 'target'];
const cpuHeadings = ['CPU per message', 'CPU of the baseline'];

/**
 * Formats the results of runs as Markdown. Figures of a later run replace those of an earlier one.
 *
 * @throws PlainError if one was a quick run, or if a figure of the benchmark is in none of them
 */
export function resultsText(records: readonly BenchRecord[]): string {
  if (records.some(({ isQuick }) => isQuick)) throw new PlainError('A quick run is not a measurement.');
  const missing = records[0]?.missing.filter((figure) => records.every((record) => record.missing.includes(figure)));
  if (missing !== undefined && missing.length > 0)
    throw new PlainError(`No run measured ${missing.join(', ')}: add the file of one that did.`);
  const measures = new Map<string, Measure>();
  for (const record of records)
    for (const [key, measure] of Object.entries(record.measures)) measures.set(key, { key, ...measure });
  const lines = records.map((record) => machineLine(record, records.length > 1));
  return `${lines.join('\n\n')}\n\n${tableLines([...measures.values()]).join('\n')}`;
}

/** Replaces the text between the markers in a page. @throws PlainError if the page has no markers */
export function withResults(page: string, results: string): string {
  const parts = /^([\s\S]*<!-- results -->\n)[\s\S]*(\n<!-- end of results -->[\s\S]*)$/.exec(page);
  if (parts === null) throw new PlainError('The page has no markers for the results.');
  return `${parts[1] ?? ''}\n${results}\n${parts[2] ?? ''}`;
}

function machineLine({ startedAt, machine, measures }: BenchRecord, isOneOfSeveral: boolean): string {
  const { cpus, model, memoryGiB, node } = machine;
  const figures = Object.keys(measures).map((key) => `\`${key}\``);
  return `Measured on ${startedAt.slice(0, 10)} with ${cpus} cores (${model}), ${memoryGiB} GiB and Node ${node}${isOneOfSeveral ? `: ${figures.join(', ')}` : ''}.`;
}

function tableLines(measures: readonly Measure[]): string[] {
  const hasCpu = measures.some(({ cpuUs }) => cpuUs !== undefined);
  return markdownTable([
    hasCpu ? [...headings, ...cpuHeadings] : headings,
    ...measures.flatMap((measure) =>
      compare(measure).map((comparison, index) => rowOf(comparison, index === 0, hasCpu)),
    ),
  ]);
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
