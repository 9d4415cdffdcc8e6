import { type ListQuery, type Page, type Part } from './page';

type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** The query parameters of the cursors where a page starts and ends, in the order of the list. */
const cursorsOf = {
  ascending: { start: 'after_id', end: 'before_id' },
  descending: { start: 'before_id', end: 'after_id' },
} as const;

/**
 * The `Link` header (RFC 8288) of a part of a list; undefined without links. URLs are relative to the host, whose name
 * a proxy may have changed.
 */
export function linksOf(
  path: string,
  query: ListQuery,
  page: Page,
  { items, hasMore }: Part<{ readonly id: string }>,
): string | undefined {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { start, end } = cursorsOf[page.order];
  const { [start]: from, [end]: until, ...others } = query;
  const link = (rel: 'next' | 'prev', cursors: QueryParameters) =>
    `<${path}?${queryText({ ...others, ...cursors })}>; rel="${rel}"`;
  const isReadBackwards = page.readOrder !== page.order;
  // A page that is read backwards ends at its cursor, where the next one starts.
  const hasNext = isReadBackwards || hasMore;
  // Between two cursors the list begins at the first one.
  const hasPrevious = isReadBackwards ? hasMore : from !== undefined && from > 0 && until === undefined;
  const next = link('next', { [start]: last.id, [end]: isReadBackwards ? undefined : until });
  const previous = link('prev', { [end]: first.id });
  const links = [...(hasNext ? [next] : []), ...(hasPrevious ? [previous] : [])];
  return links.length === 0 ? undefined : links.join(', ');
}

function queryText(parameters: QueryParameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
}
