/** The order of a list, by id. */
export type Order = 'ascending' | 'descending';
