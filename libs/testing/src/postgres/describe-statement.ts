import { type ClientBase, type Connection, type Submittable } from 'pg';

/** A column of a result, as the server describes it. */
export interface DescribedColumn {
  readonly name: string;
  /** `pg_type.oid`. */
  readonly dataTypeID: number;
  /** `pg_class.oid` and `pg_attribute.attnum` of the column that it is; 0 for an expression. */
  readonly tableID: number;
  readonly columnID: number;
}

export interface StatementDescription {
  /** `pg_type.oid` of each parameter. */
  readonly parameterTypes: readonly number[];
  readonly columns: readonly DescribedColumn[];
}

/**
 * Has PostgreSQL parse and describe a statement, without executing it.
 *
 * @param client not a pool
 * @throws DatabaseError if it does not fit the schema
 */
export function describeStatement(client: ClientBase, text: string): Promise<StatementDescription> {
  return new Promise((resolve, reject) => {
    const description: Description = new Description(text, (error) => {
      if (error === null) resolve(description);
      else reject(error);
    });
    client.query(description);
  });
}

/** Parse, Describe and Sync of the extended query protocol; node-postgres calls `handle…` as the messages come. */
class Description implements Submittable, StatementDescription {
  parameterTypes: readonly number[] = [];
  columns: readonly DescribedColumn[] = [];

  constructor(
    private readonly text: string,
    private readonly callback: (error: Error | null) => void,
  ) {}

  submit(connection: Connection): void {
    const onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => {
      this.parameterTypes = dataTypeIDs;
    };
    connection.once('parameterDescription', onParameters);
    connection.once('readyForQuery', () => connection.off('parameterDescription', onParameters));
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: readonly DescribedColumn[] }): void {
    this.columns = fields;
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}
