/** A block of a stream of server-sent events: an event if it has data, otherwise only a new id or retry time. */
export interface ServerSentBlock {
  readonly event: string;
  /** The data of the block; undefined if it has none. */
  readonly data: string | undefined;
  readonly id: string | undefined;
  readonly retryMs: number | undefined;
}

/**
 * Parses a stream of server-sent events from pieces of text that may end anywhere. Lines end with LF or CRLF, not with
 * CR alone.
 */
export class ServerSentParser {
  #rest = '';
  #fields = new Map<string, string>();

  /** Adds a piece. @returns the blocks that it completes */
  push(piece: string): ServerSentBlock[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop() ?? '';
    const blocks: ServerSentBlock[] = [];
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line;
      if (text === '') blocks.push(...this.#complete());
      else this.#add(text);
    }
    return blocks;
  }

  #add(line: string): void {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    const data = this.#fields.get('data');
    // Lines that begin with a colon are comments and have no name.
    if (name === 'data' && data !== undefined) this.#fields.set(name, `${data}\n${value}`);
    else if (name !== '') this.#fields.set(name, value);
  }

  #complete(): ServerSentBlock[] {
    const fields = this.#fields;
    if (fields.size === 0) return [];
    this.#fields = new Map();
    const retry = fields.get('retry') ?? '';
    return [
      {
        event: fields.get('event') ?? 'message',
        data: fields.get('data'),
        id: fields.get('id'),
        retryMs: /^\d{1,7}$/.test(retry) ? Number(retry) : undefined,
      },
    ];
  }
}
