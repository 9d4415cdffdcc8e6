import { type MethodReport, type NodeReport } from '@waggle/chain';
import { formatTextTable } from '../../text-table';
import { durationText } from '../progress-bar';

/** Prints the nodes, then each method in a row with a column for each node, then how methods differ or fail. */
export function formatNodeReports(reports: readonly NodeReport[]): string[] {
  return [...nodeTable(reports), '', ...methodTable(reports), ...detailsOf(reports)];
}

function nodeTable(reports: readonly NodeReport[]): string[] {
  const headings = ['', 'node', 'version', 'head', 'lag', 'blocks behind', 'reversible blocks'];
  const rows = reports.map(({ node, version, head, lagMs, behindBlocks }, index) => {
    const lag = lagMs === undefined ? undefined : durationText(lagMs / 1_000);
    const reversibleBlocks = head && head.block - head.irreversibleBlock;
    const known = [version, head?.block, lag, behindBlocks, reversibleBlocks];
    return [`${index + 1}`, node, ...known.map((cell) => `${cell ?? '?'}`)];
  });
  return formatTextTable(headings, rows);
}

function methodTable(reports: readonly NodeReport[]): string[] {
  const headings = ['method', 'for', ...reports.map((_report, index) => `${index + 1}`)];
  const rows = rowsOf(reports).map((row) => [
    row[0]?.probe.method ?? '',
    row[0]?.probe.purpose ?? '',
    ...row.map(({ verdict, ms }) => (ms === undefined ? verdict : `${verdict} ${Math.round(ms)} ms`)),
  ]);
  return formatTextTable(headings, rows);
}

/** Describes how methods differ or fail: a line for each text, with the numbers of the nodes and the methods. */
function detailsOf(reports: readonly NodeReport[]): string[] {
  const concernedByText = new Map<string, { nodes: Set<number>; methods: Set<string> }>();
  for (const [index, { methods }] of reports.entries())
    for (const { probe, verdict, detail } of methods) {
      if (detail === undefined) continue;
      const text = `${verdict}: ${detail}`;
      const concerned = concernedByText.get(text) ?? { nodes: new Set(), methods: new Set() };
      concernedByText.set(text, concerned);
      concerned.nodes.add(index + 1);
      concerned.methods.add(probe.method);
    }
  const lines = [...concernedByText].map(
    ([text, { nodes, methods }]) => `${[...nodes].join()} ${[...methods].join(', ')} ${text}`,
  );
  return lines.length > 0 ? ['', ...lines] : [];
}

/** What a service cannot do with these nodes, and which methods it lacks: a line for each consequence. */
export function unmetNeeds(service: string, reports: readonly NodeReport[]): string[] {
  const methodsByNeed = new Map<string, string[]>();
  for (const row of rowsOf(reports)) {
    const [first] = row;
    if (first === undefined) continue;
    const { method, requiredNodes, consequence } = first.probe;
    const served = row.filter(isServed).length;
    if (isEnough(served, row.length, requiredNodes)) continue;
    const count =
      served === 0 ? 'no node serves' : `only ${served} of ${row.length} nodes, less than a majority, serve`;
    const need = `${service}: ${consequence}: ${count}`;
    methodsByNeed.set(need, [...(methodsByNeed.get(need) ?? []), method]);
  }
  return [...methodsByNeed].map(([need, methods]) => `${need} ${methods.join(', ')}`);
}

function isEnough(served: number, nodes: number, required: MethodReport['probe']['requiredNodes']): boolean {
  if (required === 'none') return true;
  return required === 'majority' ? served > nodes / 2 : served > 0;
}

/** A method that could not be called counts as served, unless the node lacks the head that the service needs too. */
function isServed({ probe, verdict }: MethodReport): boolean {
  if (verdict === 'unknown') return probe.needsHead !== true;
  return verdict === 'works' || verdict === 'differs';
}

/** Returns, for each method, the reports of all nodes. */
function rowsOf(reports: readonly NodeReport[]): MethodReport[][] {
  const [first] = reports;
  return (first?.methods ?? []).map((_method, index) => reports.flatMap(({ methods }) => methods[index] ?? []));
}
