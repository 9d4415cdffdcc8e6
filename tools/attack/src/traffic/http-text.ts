/** Returns the text of a request, as it is written to a socket. */
export function getText(url: string, path: string, headers: Record<string, string> = {}): string {
  return head('GET', url, path, headers);
}

/** Returns the text of a request with a JSON body. */
export function postText(url: string, path: string, body: string): string {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return head('POST', url, path, headers) + body;
}

function head(method: string, url: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
