/** Names and values in turn, as `writeHead` takes them. */
export type HeaderList = readonly string[];
