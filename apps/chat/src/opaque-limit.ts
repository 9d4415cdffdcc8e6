/**
 * SQL for a LIMIT whose value the planner cannot see. For a visible limit at or above the rows that it expects per
 * conversation or stream, the planner reads and sorts all of them instead of scanning the index in order: a million
 * messages for one page. See docs/chat-storage.md.
 *
 * @param limit a number, or a parameter such as `$1`
 */
export const opaqueLimit = (limit: number | `$${number}`) => `(SELECT ${limit}::int)`;
