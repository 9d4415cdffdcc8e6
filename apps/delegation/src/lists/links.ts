import { type ListQuery, type Page, type Part } from './page';

type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The `Link` header (RFC 8288) of a part of a list; undefined without links. URLs are relative to the host, whose name
 * a proxy may have changed.
 */
export function linksOf(
  path: string,
  { after_id: after, before_id: before, ...rest }: ListQuery,
  page: Page,
  { items, hasMore }: Part<{ readonly id: string }>,
): string | undefined {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const link = (rel: string, cursors: QueryParameters) =>
    `<${path}?${queryText({ ...rest, ...cursors })}>; rel="${rel}"`;
  const [onward, backward] = page.ascends ? (['after_id', 'before_id'] as const) : (['before_id', 'after_id'] as const);
  // Read backwards: the cursor is after this part.
  if (page.readsAscending !== page.ascends) {
    return [link('next', { [onward]: last.id }), ...(hasMore ? [link('prev', { [backward]: first.id })] : [])].join(
      ', ',
    );
  }
  const from = page.ascends ? after : before;
  const until = page.ascends ? before : after;
  const links = [
    ...(hasMore ? [link('next', { [onward]: last.id, [backward]: until })] : []),
    // Between two cursors the list begins at the first one.
    ...(from !== undefined && from > 0 && until === undefined ? [link('prev', { [backward]: first.id })] : []),
  ];
  return links.length === 0 ? undefined : links.join(', ');
}

function queryText(parameters: QueryParameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(given).toString();
}
