/**
 * SQL for a LIMIT whose value is hidden from the planner, so that it keeps using the index scan. If the planner sees that the limit is at
 * least the size of an average conversation, it reads and sorts the whole conversation, even one of a million messages.
 *
 * @param max a number, or a parameter such as `$1`
 */
export const opaqueLimit = (max: number | `$${number}`) => `(SELECT ${max}::int)`;
