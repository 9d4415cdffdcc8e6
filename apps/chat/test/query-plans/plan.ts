import { z } from 'zod';

/** A node of an executed plan, in the format of PostgreSQL. Row counts are averages per loop. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Rows Removed by Join Filter'?: number | undefined;
  'Rows Removed by Index Recheck'?: number | undefined;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Join Filter': z.number().optional(),
    'Rows Removed by Index Recheck': z.number().optional(),
    'Shared Hit Blocks': z.number(),
    'Shared Read Blocks': z.number(),
    Plans: z.array(planNode).optional(),
  }),
);

/** An executed statement and its plan. */
export interface Execution {
  text: string;
  plan: PlanNode;
}

/** The JSON that `auto_explain` logs. */
export const executionJson = z
  .object({ 'Query Text': z.string(), Plan: planNode })
  .transform((json): Execution => ({ text: json['Query Text'], plan: json.Plan }));

/** Returns the node and its descendants. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Returns the number of pages that the node and its descendants accessed, in memory or on disk. */
export function pagesOf(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
}

/** Returns the number of rows of all loops. */
export function totalRows(node: PlanNode): number {
  return Math.round(node['Actual Rows'] * node['Actual Loops']);
}

/** Returns the number of rows that were read and discarded, in all loops. */
export function removedRows(node: PlanNode): number {
  const each =
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(each * node['Actual Loops']);
}

/** Returns the number of rows that the statement returns or writes. */
export function resultRows(plan: PlanNode): number {
  const written = nodesOf(plan)
    .filter((node) => node['Node Type'] === 'ModifyTable')
    .flatMap((node) => node.Plans ?? []);
  return Math.max(
    totalRows(plan),
    written.reduce((sum, node) => sum + totalRows(node), 0),
  );
}

/** Returns the table that a node reads; `message` for each of its partitions. */
export function tableOf(node: PlanNode): string | undefined {
  return node['Relation Name']?.replace(/^(message|search_block)_\d+$/, '$1');
}

export function isPartOfMessages(node: PlanNode): boolean {
  return ['message', 'search_block'].includes(tableOf(node) ?? '');
}
