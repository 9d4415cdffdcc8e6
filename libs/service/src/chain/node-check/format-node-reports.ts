import { type MethodReport, type NodeReport } from '@waggle/chain';
import { formatTextTable } from '../../text-table';
import { durationText } from '../progress-bar';

/** Prints the nodes, then each method in a row with a column for each node, then how methods differ or fail. */
export function formatNodeReports(reports: readonly NodeReport[]): string[] {
  const nodes = reports.map(({ node, version, head, lagMs, behindBlocks }, index) => [
    `${index + 1}`,
    node,
    version ?? '?',
    head === undefined ? '?' : `${head.block}`,
    lagMs === undefined ? '?' : durationText(lagMs / 1_000),
    behindBlocks === undefined ? '?' : `${behindBlocks}`,
    head === undefined ? '?' : `${head.block - head.irreversibleBlock}`,
  ]);
  const headings = ['', 'node', 'version', 'head', 'lag', 'blocks behind', 'reversible blocks'];
  const methods = rowsOf(reports).map((row) => [
    row[0]?.probe.method ?? '',
    row[0]?.probe.purpose ?? '',
    ...row.map(({ verdict, ms }) => (ms === undefined ? verdict : `${verdict} ${Math.round(ms)} ms`)),
  ]);
  return [
    ...formatTextTable(headings, nodes),
    '',
    ...formatTextTable(['method', 'for', ...reports.map((_report, index) => `${index + 1}`)], methods),
    ...detailsOf(reports),
  ];
}

/** Describes how methods differ or fail: a line for each text, with the numbers of the nodes and the methods. */
function detailsOf(reports: readonly NodeReport[]): string[] {
  const about = new Map<string, { nodes: Set<number>; methods: Set<string> }>();
  for (const [index, { methods }] of reports.entries())
    for (const { probe, verdict, detail } of methods) {
      if (detail === undefined) continue;
      const text = `${verdict}: ${detail}`;
      const subject = about.get(text) ?? { nodes: new Set(), methods: new Set() };
      about.set(text, subject);
      subject.nodes.add(index + 1);
      subject.methods.add(probe.method);
    }
  const lines = [...about].map(
    ([text, { nodes, methods }]) => `${[...nodes].join()} ${[...methods].join(', ')} ${text}`,
  );
  return lines.length > 0 ? ['', ...lines] : [];
}

/** What a service cannot do with these nodes, and which methods it lacks: a line for each consequence. */
export function unmetNeeds(service: string, reports: readonly NodeReport[]): string[] {
  const lacking = new Map<string, string[]>();
  for (const row of rowsOf(reports)) {
    const [first] = row;
    if (first === undefined) continue;
    const { method, requiredNodes, consequence } = first.probe;
    const served = row.filter(isServed).length;
    if (requiredNodes === 'none') continue;
    if (requiredNodes === 'majority' ? served > row.length / 2 : served > 0) continue;
    const count =
      served === 0 ? 'no node serves' : `only ${served} of ${row.length} nodes, less than a majority, serve`;
    const meaning = `${service}: ${consequence}: ${count}`;
    lacking.set(meaning, [...(lacking.get(meaning) ?? []), method]);
  }
  return [...lacking].map(([meaning, methods]) => `${meaning} ${methods.join(', ')}`);
}

/** A method that could not be called counts as served, unless the node lacks the head that the service needs too. */
function isServed({ probe, verdict }: MethodReport): boolean {
  return verdict === 'unknown' ? probe.needsHead !== true : verdict === 'works' || verdict === 'differs';
}

/** Returns, for each method, the reports of all nodes. */
function rowsOf(reports: readonly NodeReport[]): MethodReport[][] {
  const [first] = reports;
  return (first?.methods ?? []).map((_method, index) => reports.flatMap(({ methods }) => methods[index] ?? []));
}
