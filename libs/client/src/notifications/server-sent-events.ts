/**
 * A block of lines of a stream of server-sent events: an event if it has data, otherwise only a new id or retry time.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
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
      if (text !== '') {
        this.#add(text);
        continue;
      }
      const block = this.#complete();
      if (block !== undefined) blocks.push(block);
    }
    return blocks;
  }

  #add(line: string): void {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    const isComment = name === '';
    if (isComment || (name === 'id' && value.includes('\0'))) return;
    const data = this.#fields.get('data');
    this.#fields.set(name, name === 'data' && data !== undefined ? `${data}\n${value}` : value);
  }

  /** @returns undefined if the block has no fields */
  #complete(): ServerSentBlock | undefined {
    const fields = this.#fields;
    if (fields.size === 0) return undefined;
    this.#fields = new Map();
    const event = fields.get('event') ?? '';
    return {
      event: event === '' ? 'message' : event,
      data: fields.get('data'),
      id: fields.get('id'),
      retryMs: retryMsOf(fields.get('retry') ?? ''),
    };
  }
}

/** Digits only; more than seven, almost three hours, are ignored. */
function retryMsOf(text: string): number | undefined {
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}
