import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const call = z.object({ id: z.union([z.number(), z.string()]), method: z.string(), params: z.unknown() });

/** Methods whose results never change, because they are about irreversible blocks. */
const recordedMethods = new Set(['block_api.get_block_range', 'account_history_api.enum_virtual_ops']);

/** The recorded calls, which the baseline repeats. */
export const recordedCalls = z.array(z.object({ method: z.string(), params: z.unknown() }));

/** The results of a node, so that a benchmark does not measure the node: a recorded result costs only its transfer. */
export class NodeRecording {
  private readonly results = new Map<string, string>();

  constructor(private readonly nodeUrl: string) {}

  /** The recorded calls, each once, in the order of their first occurrence, as JSON. */
  get calls(): string {
    return `[${[...this.results.keys()].join(',')}]`;
  }

  /** @param body a JSON-RPC request; returns the response to it */
  async respond(body: string): Promise<string> {
    const { id, method, params } = call.parse(JSON.parse(body));
    const key = JSON.stringify({ method, params });
    const result = this.results.get(key) ?? (await this.call(body));
    if (recordedMethods.has(method)) this.results.set(key, result);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
  }

  private async call(body: string): Promise<string> {
    const response = await fetch(this.nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result } = z.object({ result: z.unknown() }).parse(await response.json());
    if (result === undefined) throw new Error(`the node rejects ${body}`);
    return JSON.stringify(result);
  }
}

/**
 * Starts a node that responds from the recording, after a delay. `GET /calls` returns the recorded calls.
 *
 * @returns its URL
 */
export async function startRecordedNode(recording: NodeRecording, delayMs: number): Promise<string> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/calls') {
      response.end(recording.calls);
      return;
    }
    const body = await text(request);
    if (delayMs > 0) await setTimeout(delayMs);
    response.end(await recording.respond(body));
  };
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
