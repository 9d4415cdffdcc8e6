import { isPartOfMessages, nodesOf, pagesOf, removedRows, resultRows, tableOf, totalRows, type PlanNode } from './plan';

/** A violation of a rule by a plan. */
export interface Finding {
  rule: keyof typeof rules;
  what: string;
}

/**
 * The rows or pages that a plan may always read, and additionally for each row that the statement returns or writes.
 */
const limits = {
  // The accounts of the test follow 100 channels.
  removed: { always: 120, perRow: 3 },
  sorted: { always: 100, perRow: 10 },
  // Three or four levels of an index and the page of the row, for the row and for joined rows.
  pages: { always: 60, perRow: 25 },
};

/** Each rule returns the violations in a plan. */
const rules = {
  /** Scans a table sequentially. */
  scan: (plan: PlanNode) =>
    nodesOf(plan)
      .filter((node) => node['Node Type'] === 'Seq Scan' && !isSmall(tableOf(node)))
      .map((node) => `reads ${tableOf(node) ?? ''} whole`),

  /** Searches several partitions of the messages, although a conversation is in only one. */
  parts: (plan: PlanNode) =>
    nodesOf(plan).flatMap((node) => {
      const parts = (node.Plans ?? []).flatMap((child) => nodesOf(child).find(isPartOfMessages) ?? []);
      const searches = parts.reduce((sum, part) => sum + part['Actual Loops'], 0);
      const isDivided = node['Node Type'].endsWith('Append') && searches > Math.max(node['Actual Loops'], 1);
      return isDivided
        ? [`searches parts of the messages ${searches} times, where ${node['Actual Loops']} would do`]
        : [];
    }),

  /** Reads many rows to return few. Other databases of the server determine the rows of PostgreSQL's own tables. */
  removed: (plan: PlanNode) => {
    const result = resultRows(plan);
    return nodesOf(plan).flatMap((node) => {
      const removed = removedRows(node);
      const rows = Math.max(totalRows(node), result);
      return exceeds(limits.removed, removed, rows) && !isOfPostgres(tableOf(node))
        ? [`leaves out ${removed} rows of ${tableOf(node) ?? node['Node Type']} for ${rows}`]
        : [];
    });
  },

  /** Sorts many rows to return few. */
  sorted: (plan: PlanNode) => {
    const result = resultRows(plan);
    return nodesOf(plan).flatMap((node) => {
      const sorted = node['Node Type'].endsWith('Sort')
        ? (node.Plans ?? []).reduce((sum, each) => sum + totalRows(each), 0)
        : 0;
      return exceeds(limits.sorted, sorted, result) ? [`sorts ${sorted} rows for ${result}`] : [];
    });
  },

  /** Reads many pages for few rows. Other databases of the server determine the pages of PostgreSQL's own tables. */
  pages: (plan: PlanNode) => {
    const ofPostgres = nodesOf(plan).filter((node) => isOfPostgres(tableOf(node)));
    const pages = pagesOf(plan) - ofPostgres.reduce((sum, node) => sum + pagesOf(node), 0);
    return exceeds(limits.pages, pages, resultRows(plan)) ? [`reads ${pages} pages for ${resultRows(plan)} rows`] : [];
  },
};

/** Returns all violations in a plan. */
export function findingsIn(plan: PlanNode): Finding[] {
  const names: Finding['rule'][] = ['scan', 'parts', 'removed', 'sorted', 'pages'];
  return names.flatMap((rule) => rules[rule](plan).map((what) => ({ rule, what })));
}

/** Tables that stay small: PostgreSQL's own, one with a row for each migration, and the progress of the search. */
function isSmall(table: string | undefined): boolean {
  const small = ['migration', 'search_progress', 'search_edit'];
  return table === undefined || small.includes(table) || isOfPostgres(table);
}

function isOfPostgres(table: string | undefined): boolean {
  return table?.startsWith('pg_') === true;
}

function exceeds({ always, perRow }: { always: number; perRow: number }, cost: number, rows: number): boolean {
  return cost > always + perRow * rows;
}
