/** A statement that the server prepares once for each connection. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}
