/**
 * A limit, the number of which the planner does not see. It takes a conversation for as large as most are; where it sees that
 * this is no more than the limit, it reads all of it and sorts, though it be one of a million messages.
 *
 * @param most a number, or a parameter such as `$1`
 */
export const upTo = (most: number | `$${number}`) => `(SELECT ${most}::int)`;
