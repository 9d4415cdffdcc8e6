import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodesOf, pagesOf, resultRows, tableOf, type PlanNode } from './plan';

const file = path.join(__dirname, '../../../../docs/query-plans.md');

/** A statement and the most expensive execution of each plan mode. */
export interface PlannedStatement {
  name: string;
  plans: readonly PlanNode[];
}

/** Returns the names of the statements whose plans are in the document. */
export function statementsInDocument(): string[] {
  const text = readFileSync(file, 'utf8');
  const { from, to } = boundsOf(text, 'plans');
  return [...text.slice(from, to).matchAll(/^\| `([^`]+)` /gm)].map(([, name = '']) => name);
}

/** The document omits statements whose most expensive execution reads fewer pages. */
export const documentedPages = 1_000;

/** Replaces the tables of the document. */
export function writeDocument(statements: readonly PlannedStatement[], sizes: string): void {
  const documented = statements.filter(({ plans }) => plans.some((plan) => pagesOf(plan) >= documentedPages));
  const lines = documented.map(({ name, plans }) => {
    const reads = [...new Set(plans.flatMap(readsOf))].join(', ');
    return `| \`${name}\` | ${reads} | ${plans.map(costOf).join('; ')} |`;
  });
  const table = ['| statement | reads by | rows / pages |', '| --- | --- | --- |', ...lines].join('\n');
  const contents = { plans: table, sizes };
  let text = readFileSync(file, 'utf8');
  for (const [name, content] of Object.entries(contents)) {
    const { from, to } = boundsOf(text, name);
    text = `${text.slice(0, from)}\n\n${content}\n\n${text.slice(to)}`;
  }
  writeFileSync(file, text);
}

/** Returns the bounds of a generated section. */
function boundsOf(text: string, name: string): { from: number; to: number } {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`docs/query-plans.md lacks ${begin} or ${end}`);
  return { from: from + begin.length, to };
}

/** Returns the indexes in the order of the plan, and tables with sequential scans. */
function readsOf(plan: PlanNode): string[] {
  return nodesOf(plan).flatMap((node) => {
    const index = node['Index Name'];
    if (index === undefined)
      return node['Node Type'] === 'Seq Scan' ? [`\`${tableOf(node) ?? ''}\` (sequential scan)`] : [];
    const isOnly = node['Node Type'] === 'Index Only Scan' ? ' (index only)' : '';
    return [`\`${wholeIndexOf(index)}\`${isOnly}`];
  });
}

/** PostgreSQL names the index of a partition after its columns. */
const partIndexes: Record<string, string> = {
  pkey: 'message_pkey',
  conversation_id_sent_at_idx: 'message_sent_at',
  id_idx: 'message_id',
  conversation_id_sender_client_id_idx: 'message_client_id',
};

function wholeIndexOf(index: string): string {
  return partIndexes[/^message_\d+_(.*)$/.exec(index)?.[1] ?? ''] ?? index;
}

function costOf(plan: PlanNode): string {
  return `${resultRows(plan).toLocaleString('en')} / ${pagesOf(plan).toLocaleString('en')}`;
}
