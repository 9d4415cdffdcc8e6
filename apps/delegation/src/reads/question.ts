/** A statement that PostgreSQL parses once for each connection. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** A named statement with its values, whose rows come as arrays. */
export interface Question extends NamedStatement {
  values: (string | number)[];
  rowMode: 'array';
}

/** A row as node-postgres gives it with `rowMode: 'array'`: bigints are texts. */
export type Row = readonly (string | null)[];

/** Whom a question is asked: the connections that all share, the pool, or the part of it that exports use. */
export interface Asked {
  query(question: Question): Promise<{ readonly rows: readonly Row[] }>;
}
