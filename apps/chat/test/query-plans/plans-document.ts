import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodesOf, pagesOf, resultRows, tableOf, type PlanNode } from './plan';

const file = path.join(__dirname, '../../../../docs/query-plans.md');

/** A statement, and its costliest executions: one that was planned for its values, one planned for all. */
export interface PlannedStatement {
  name: string;
  plans: readonly PlanNode[];
}

/** The names of the statements that the document has the plans of. */
export function statementsInDocument(): string[] {
  const text = readFileSync(file, 'utf8');
  const { from, to } = boundsOf(text, 'plans');
  return [...text.slice(from, to).matchAll(/^\| `([^`]+)` /gm)].map(([, name = '']) => name);
}

/** Statements that read fewer pages at their costliest execution are left out of the document. */
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

/** The bounds of a part that the test writes. */
function boundsOf(text: string, name: string): { from: number; to: number } {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`docs/query-plans.md lacks ${begin} or ${end}`);
  return { from: from + begin.length, to };
}

/** The indexes, in the order of the plan, without those of partitions that were not accessed. */
function readsOf(plan: PlanNode): string[] {
  return nodesOf(plan).flatMap((node) => {
    const index = node['Index Name'];
    if (index === undefined)
      return node['Node Type'] === 'Seq Scan' ? [`\`${tableOf(node) ?? ''}\` (sequential scan)`] : [];
    const isOnly = node['Node Type'] === 'Index Only Scan' ? ' (index only)' : '';
    return [`\`${wholeIndexOf(index)}\`${isOnly}`];
  });
}

/** PostgreSQL names the index of a part after its columns. */
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
