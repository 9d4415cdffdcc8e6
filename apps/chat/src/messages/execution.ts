import { type ClientBase, type Connection, type Submittable } from 'pg';

declare module 'pg' {
  interface Connection {
    /** The texts of what is prepared, by name; left out of the types. */
    readonly parsedStatements: Readonly<Record<string, string>>;
  }
}

/** A statement that is prepared once on each connection, where it is known by its name. */
export interface PlainStatement {
  name: string;
  text: string;
  /** As PostgreSQL reads them. */
  values: (string | null)[];
}

/** A row, each value as PostgreSQL writes it. */
export type PlainRow = readonly (string | null)[];

/**
 * Executes a statement without having its rows described. node-postgres has that done each time, to read their values by it:
 * for a lone message that takes as long as all else of reading the answer.
 *
 * @param client not a pool, which would not notice the end
 */
export function execute(client: ClientBase, statement: PlainStatement): Promise<PlainRow[]> {
  return new Promise((resolve, reject) => {
    const execution: Execution = new Execution(statement, (error) => {
      if (error) reject(error);
      else resolve(execution.rows);
    });
    client.query(execution);
  });
}

/** One execution, as node-postgres takes what it has not written itself: `handle…` is called as the answers come. */
class Execution implements Submittable {
  /** By these node-postgres knows what is prepared. */
  readonly name: string;
  readonly text: string;
  readonly rows: PlainRow[] = [];

  /** @param callback called once at the end. node-postgres puts its own in its place, for the time that an answer may take */
  constructor(
    private readonly statement: PlainStatement,
    private callback: (error: Error | null) => void,
  ) {
    this.name = statement.name;
    this.text = statement.text;
  }

  submit(connection: Connection) {
    const { name, text, values } = this.statement;
    // Written at once.
    connection.stream.cork();
    try {
      // Another text by the same name is refused by the server.
      if (connection.parsedStatements[name] !== text) connection.parse({ name, text, types: [] }, true);
      connection.bind({ statement: name, values }, true);
      connection.execute(null, true);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleDataRow({ fields }: { fields: PlainRow }) {
    this.rows.push(fields);
  }

  handleEmptyQuery() {
    // No rows.
  }

  handleCommandComplete() {
    // The transaction may still fail.
  }

  handleReadyForQuery() {
    this.callback(null);
  }

  handleError(error: Error) {
    this.callback(error);
  }
}
