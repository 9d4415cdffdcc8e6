import { type IncomingMessage } from 'node:http';

/** The limit of hived. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Parses the body of a request; undefined if it is not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  return parseJson(await readBody(request));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) request.destroy();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON value is undefined, so it means "no JSON".
    return undefined;
  }
}
